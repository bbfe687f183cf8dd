// Data sets in their official file formats, in memory, as bytes; and the filling of batches from them.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace dlbench::data {

// One split of labelled samples: pictures [channels, height, width], or sequences [positions].
struct SampleSet {
  std::int64_t count = 0;
  std::vector<std::int64_t> shape;   // of one sample
  std::vector<std::uint8_t> pixels;  // [count, shape…]; empty where samples are sequences
  std::vector<std::int32_t> tokens;  // [count, shape…]; empty where samples are pictures
  std::int64_t labels_per_sample = 1;
  std::vector<std::int32_t> labels;  // [count, labels_per_sample]

  [[nodiscard]] std::int64_t sample_elements() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  }
};

struct Dataset {
  std::string name;
  std::string digest;  // hash of the files' uncompressed contents: equal for plain and gzipped copies
  std::int64_t vocabulary = 0;  // 0: pictures; else tokens are below it
  std::int64_t class_count = 0;
  SampleSet train;
  SampleSet test;
};

// A data set that dlbench knows: where its files are looked for and how to get them.
struct DatasetInfo {
  std::string name;  // "fashion-mnist"
  std::string sentence;
  std::string default_folder;  // "": it needs no files
  std::string hint;            // how to get it
};
[[nodiscard]] const std::vector<DatasetInfo>& known_datasets();

// Loads by name; `folder` empty: the default one. Throws base::UserError (missing, corrupt, short, wrong
// magic, sizes that do not fit each other, labels out of range), always naming the file and how to get the
// data.
[[nodiscard]] Dataset load_dataset(const std::string& name, const std::string& folder = {});

// Sample order of one epoch: a permutation reshuffled each epoch, a pure function of (seed, epoch).
[[nodiscard]] std::vector<std::uint32_t> epoch_order(std::uint64_t seed, std::uint32_t epoch,
                                                     std::uint32_t count);

// Write samples `indices[0 … rows)` to `input` (rows × sample_elements) and their labels to `target` (rows ×
// labels_per_sample).
// A pixel becomes pixel / 255.0f, the correctly rounded quotient; pixel * (1 / 255.0f) would differ in the
// last bit for 126 of the 256 values. Every index must be below `set.count`; `set` is as load_dataset returns
// it.
void fill_pictures(const SampleSet& set, const std::uint32_t* indices, std::int64_t rows, float* input,
                   std::int64_t* target);
void fill_tokens(const SampleSet& set, const std::uint32_t* indices, std::int64_t rows, std::int64_t* input,
                 std::int64_t* target);

}  // namespace dlbench::data
