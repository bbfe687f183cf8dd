#include "data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/philox.hpp"
#include "data/content.hpp"
#include "data/idx.hpp"
#include "data/synthetic.hpp"

namespace dlbench::data {
namespace {

constexpr std::int64_t class_count = 10;

// One file of a set and the hash of its uncompressed content.
struct LoadedFile {
  std::string path;
  IdxArray array;
  std::string digest;
};

// The official file is gzipped; an unpacked copy without the suffix is as good.
std::string find_file(const std::string& folder, const std::string& stem) {
  const std::filesystem::path zipped = std::filesystem::path(folder) / (stem + ".gz");
  const std::filesystem::path plain = std::filesystem::path(folder) / stem;
  std::error_code ignored;
  if (std::filesystem::exists(zipped, ignored)) {
    return zipped.string();
  }
  if (std::filesystem::exists(plain, ignored)) {
    return plain.string();
  }
  throw base::UserError(fmt::format("{} is missing", zipped.string()), zipped.string());
}

LoadedFile load_file(const std::string& folder, const std::string& stem, std::size_t rank) {
  LoadedFile file;
  file.path = find_file(folder, stem);
  Bytes content = read_content(file.path, max_file_bytes);
  file.digest = base::hash_hex(content.data(), content.size());
  file.array = parse_idx(std::move(content), file.path);
  if (file.array.dims.size() != rank) {
    throw base::UserError(
        fmt::format("{}: {} dimensions, expected {}", file.path, file.array.dims.size(), rank), file.path);
  }
  return file;
}

void check_labels(const LoadedFile& labels, const LoadedFile& images) {
  if (labels.array.dims[0] != images.array.dims[0]) {
    throw base::UserError(fmt::format("{} has {} labels, {} has {} images", labels.path, labels.array.dims[0],
                                      images.path, images.array.dims[0]),
                          labels.path);
  }
  const auto& values = labels.array.values;
  const auto bad =
      std::find_if(values.begin(), values.end(), [](std::uint8_t label) { return label >= class_count; });
  if (bad != values.end()) {
    throw base::UserError(fmt::format("{}: label {} of sample {} is not below {}", labels.path, *bad,
                                      bad - values.begin(), class_count),
                          labels.path);
  }
}

SampleSet load_split(const std::string& folder, const std::string& prefix, std::string& digests) {
  LoadedFile images = load_file(folder, prefix + "-images-idx3-ubyte", 3);
  LoadedFile labels = load_file(folder, prefix + "-labels-idx1-ubyte", 1);
  check_labels(labels, images);
  digests += images.digest + labels.digest;
  SampleSet set;
  set.count = images.array.dims[0];
  set.shape = {1, images.array.dims[1], images.array.dims[2]};
  set.pixels = std::move(images.array.values);
  set.labels.assign(labels.array.values.begin(), labels.array.values.end());
  return set;
}

Dataset load_mnist_layout(const std::string& name, const std::string& folder) {
  Dataset dataset;
  dataset.name = name;
  dataset.class_count = class_count;
  std::string digests;
  dataset.train = load_split(folder, "train", digests);
  dataset.test = load_split(folder, "t10k", digests);
  const auto& [train, test] = std::tie(dataset.train.shape, dataset.test.shape);
  if (train != test) {
    throw base::UserError(fmt::format("{}: training images are {} x {}, test images {} x {}", folder,
                                      train[1], train[2], test[1], test[2]),
                          folder);
  }
  dataset.digest = base::hash_hex(digests);
  return dataset;
}

const DatasetInfo& find_info(const std::string& name) {
  std::vector<std::string> names;
  for (const DatasetInfo& info : known_datasets()) {
    if (info.name == name) {
      return info;
    }
    names.push_back(info.name);
  }
  throw base::UserError(fmt::format("no data set named '{}'", name), name,
                        fmt::format("known data sets: {}", fmt::join(names, ", ")));
}

// All 256 quotients once: the batch then costs one load per pixel and every value is still pixel / 255.0f
// exactly.
const std::array<float, 256>& scaled_pixels() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(i) / 255.0F;
    }
    return values;
  }();
  return table;
}

}  // namespace

const std::vector<DatasetInfo>& known_datasets() {
  static const std::vector<DatasetInfo> datasets = {
      {"fashion-mnist",
       "60,000 training and 10,000 test images of clothing, 28 x 28 grey pixels, 10 classes.",
       "/usr/share/datasets/fashion-mnist",
       "apt-get install dataset-fashion-mnist, or give the folder that holds the four idx files"},
      {synthetic_name,
       "4128 training and 512 test samples, pictures or tokens, made up in the shape that the model takes.",
       "", "always there; its accuracies say nothing of real data"},
  };
  return datasets;
}

Dataset load_dataset(const std::string& name, const std::string& folder) {
  const DatasetInfo& info = find_info(name);
  DLBENCH_ASSERT(name != synthetic_name, "it has no files: make_synthetic makes it");
  try {
    return load_mnist_layout(name, folder.empty() ? info.default_folder : folder);
  } catch (const base::UserError& error) {
    // Whatever is wrong with a file, the cure is to get the data again.
    throw base::UserError(error.what(), error.where(), info.hint);
  }
}

std::vector<std::uint32_t> epoch_order(std::uint64_t seed, std::uint32_t epoch, std::uint32_t count) {
  return base::Random(seed, base::Stream::data_order, epoch).permutation(count);
}

namespace {

// The sample that a batch's row holds. Asserts that there is one.
std::size_t sample_at(const SampleSet& set, const std::uint32_t* indices, std::int64_t row) {
  DLBENCH_ASSERT(static_cast<std::int64_t>(indices[row]) < set.count, "sample index outside the set");
  return indices[row];
}

std::int64_t* copy_labels(const SampleSet& set, std::size_t sample, std::int64_t* target) {
  const auto labels = static_cast<std::size_t>(set.labels_per_sample);
  return std::copy_n(set.labels.data() + sample * labels, labels, target);
}

}  // namespace

void fill_pictures(const SampleSet& set, const std::uint32_t* indices, std::int64_t rows, float* input,
                   std::int64_t* target) {
  const auto elements = static_cast<std::size_t>(set.sample_elements());
  const std::array<float, 256>& scaled = scaled_pixels();
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::size_t sample = sample_at(set, indices, row);
    const std::uint8_t* pixel = set.pixels.data() + sample * elements;
    input = std::transform(pixel, pixel + elements, input,
                           [&scaled](std::uint8_t value) { return scaled[value]; });
    target = copy_labels(set, sample, target);
  }
}

void fill_tokens(const SampleSet& set, const std::uint32_t* indices, std::int64_t rows, std::int64_t* input,
                 std::int64_t* target) {
  const auto elements = static_cast<std::size_t>(set.sample_elements());
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::size_t sample = sample_at(set, indices, row);
    input = std::copy_n(set.tokens.data() + sample * elements, elements, input);
    target = copy_labels(set, sample, target);
  }
}

}  // namespace dlbench::data
