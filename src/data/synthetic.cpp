#include "data/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/philox.hpp"

namespace dlbench::data {
namespace {

// No multiple of usual batches, so that there is a partial one.
constexpr std::int64_t train_count = 4128;
constexpr std::int64_t test_count = 512;
constexpr std::int64_t most_classes = 65'536;
constexpr std::uint64_t seed = 20;
// Random numbers: four for each plane of a class, then one for each label and four for each plane of a
// sample.
constexpr std::uint64_t label_stream = 1;
constexpr std::uint64_t class_stream = 2;
constexpr std::uint64_t sample_stream = 3;
constexpr std::uint64_t token_stream = 4;

constexpr std::int64_t most_positions = 65'536;

struct Blob {
  double row, column, radius, peak;
};

class Painter {
 public:
  Painter(const Picture& picture, std::int64_t classes) : picture_(picture), class_count_(classes) {}

  void paint(SampleSet& set, std::int64_t first) const {
    for (std::int64_t i = 0; i < set.count; ++i) {
      const auto sample = static_cast<std::uint64_t>(first + i);
      const std::uint64_t label = labels_.below(sample, static_cast<std::uint64_t>(class_count_));
      set.labels.push_back(static_cast<std::int32_t>(label));
      for (std::int64_t channel = 0; channel < picture_.channels; ++channel) {
        draw(blob(label, sample, static_cast<std::uint64_t>(channel)), set.pixels);
      }
    }
  }

 private:
  [[nodiscard]] Blob blob(std::uint64_t label, std::uint64_t sample, std::uint64_t channel) const {
    const auto channels = static_cast<std::uint64_t>(picture_.channels);
    const std::uint64_t of_class = 4 * (label * channels + channel);
    const std::uint64_t of_sample = 4 * (sample * channels + channel);
    const auto place = [&](std::uint64_t i, std::int64_t extent) {
      const double share = 0.2 + 0.5 * own(classes_, of_class + i) + 0.1 * own(samples_, of_sample + i);
      return share * static_cast<double>(extent);
    };
    return {place(0, picture_.height), place(1, picture_.width),
            static_cast<double>(picture_.height) * (0.15 + 0.15 * own(classes_, of_class + 2)),
            110.0 + 145.0 * own(samples_, of_sample + 3)};
  }

  static double own(const base::Random& random, std::uint64_t i) {
    return static_cast<double>(random.uniform(i));
  }

  void draw(const Blob& blob, std::vector<std::uint8_t>& pixels) const {
    for (std::int64_t row = 0; row < picture_.height; ++row) {
      for (std::int64_t column = 0; column < picture_.width; ++column) {
        const double distance =
            std::hypot(static_cast<double>(row) - blob.row, static_cast<double>(column) - blob.column);
        const double ink = blob.peak * std::max(0.0, 1.0 - distance / blob.radius);
        pixels.push_back(static_cast<std::uint8_t>(std::lround(ink)));
      }
    }
  }

  Picture picture_;
  std::int64_t class_count_;
  base::Random labels_{seed, base::Stream::augmentation, label_stream};
  base::Random classes_{seed, base::Stream::augmentation, class_stream};
  base::Random samples_{seed, base::Stream::augmentation, sample_stream};
};

SampleSet empty_set(const Picture& picture, std::int64_t count) {
  SampleSet set;
  set.count = count;
  set.shape = {picture.channels, picture.height, picture.width};
  set.pixels.reserve(static_cast<std::size_t>(count * set.sample_elements()));
  return set;
}

// Every second token follows from the one before it, the others are drawn.
std::vector<std::int32_t> draw_tokens(const base::Random& random, std::uint64_t sample, std::int64_t count,
                                      std::int64_t vocabulary) {
  std::vector<std::int32_t> tokens;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t at = sample * static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(i);
    const std::int64_t drawn =
        static_cast<std::int64_t>(random.below(at, static_cast<std::uint64_t>(vocabulary)));
    const bool follows = i > 0 && (sample + static_cast<std::uint64_t>(i)) % 2 == 0;
    const std::int64_t token = follows ? (std::int64_t{tokens.back()} * 7 + 3) % vocabulary : drawn;
    tokens.push_back(static_cast<std::int32_t>(token));
  }
  return tokens;
}

// Labels are the next tokens, or, one for a sample, which share of the vocabulary its first token lies in.
void write_sequences(SampleSet& set, const Sequences& sequences, std::int64_t classes, std::uint64_t first) {
  const base::Random random(seed, base::Stream::augmentation, token_stream);
  for (std::int64_t i = 0; i < set.count; ++i) {
    const std::vector<std::int32_t> tokens = draw_tokens(random, first + static_cast<std::uint64_t>(i),
                                                         sequences.positions + 1, sequences.vocabulary);
    set.tokens.insert(set.tokens.end(), tokens.begin(), tokens.end() - 1);
    if (sequences.label_each) {
      std::transform(tokens.begin() + 1, tokens.end(), std::back_inserter(set.labels),
                     [&](std::int32_t token) { return static_cast<std::int32_t>(token % classes); });
    } else {
      set.labels.push_back(static_cast<std::int32_t>(tokens[0] * classes / sequences.vocabulary));
    }
  }
}

SampleSet empty_set(const Sequences& sequences, std::int64_t count) {
  SampleSet set;
  set.count = count;
  set.shape = {sequences.positions};
  set.labels_per_sample = sequences.label_each ? sequences.positions : 1;
  return set;
}

}  // namespace

Dataset make_synthetic(const Sequences& sequences, std::int64_t classes) {
  if (sequences.positions < 1 || sequences.positions > most_positions || sequences.vocabulary < 1 ||
      classes < 1) {
    throw base::UserError(
        fmt::format("data set '{}' has at most {} positions in a sample", synthetic_name, most_positions));
  }
  Dataset dataset;
  dataset.name = synthetic_name;
  dataset.vocabulary = sequences.vocabulary;
  dataset.class_count = classes;
  dataset.train = empty_set(sequences, train_count);
  dataset.test = empty_set(sequences, test_count);
  write_sequences(dataset.train, sequences, classes, 0);
  write_sequences(dataset.test, sequences, classes, train_count);
  dataset.digest =
      base::hash_hex(dataset.train.tokens.data(), dataset.train.tokens.size() * sizeof(std::int32_t));
  return dataset;
}

Dataset make_synthetic(const Picture& picture, std::int64_t classes) {
  constexpr std::int64_t most_elements = std::int64_t{1} << 20U;  // of a sample: 4 GiB in all
  if (classes < 1 || classes > most_classes ||
      picture.channels * picture.height * picture.width > most_elements) {
    throw base::UserError(fmt::format("data set '{}' has at most {} classes and {} elements a sample",
                                      synthetic_name, most_classes, most_elements));
  }
  Dataset dataset;
  dataset.name = synthetic_name;
  dataset.class_count = classes;
  dataset.train = empty_set(picture, train_count);
  dataset.test = empty_set(picture, test_count);
  const Painter painter(picture, classes);
  painter.paint(dataset.train, 0);
  painter.paint(dataset.test, train_count);
  dataset.digest = base::hash_hex(dataset.train.pixels.data(), dataset.train.pixels.size());
  return dataset;
}

}  // namespace dlbench::data
