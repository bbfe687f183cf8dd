// Recurrent networks of the published studies.
#include "zoo/layers.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::zoo {
namespace {

constexpr std::int64_t ptb_words = 10'000;

model::Attributes embedding(std::int64_t vocabulary, std::int64_t features) {
  return {{"vocabulary", model::count(vocabulary)}, {"features", model::count(features)}};
}

model::Attributes lstm(std::int64_t hidden, bool last_only = false) {
  return {{"hidden", model::count(hidden)}, {"last_only", last_only}};
}

// Two layers of `width`, and the next word for each position.
model::Builder two_layers(const std::string& name, std::int64_t positions, std::int64_t width) {
  model::Builder builder(name, {positions}, ptb_words);
  builder.add("words", "embedding", embedding(ptb_words, width))
      .add("lstm1", "lstm", lstm(width))
      .add("lstm2", "lstm", lstm(width));
  return builder;
}

}  // namespace

model::Graph lstm_lm() {
  return two_layers("lstm_lm", 32, 256).add("score", "dense", dense(ptb_words)).finish();
}

model::Graph lstm_ptb() {
  return two_layers("lstm_ptb", 30, 200)
      .add("drop", "dropout", {{"rate", 0.5}})
      .add("score", "dense", dense(ptb_words))
      .finish();
}

model::Graph lstm_imdb() {
  constexpr std::int64_t words = 5000;
  return model::Builder("lstm_imdb", {500}, words)
      .add("words", "embedding", embedding(words, 32))
      .add("lstm1", "lstm", lstm(100, true))
      .add("score", "dense", dense(1))
      .finish("binary_cross_entropy");
}

}  // namespace dlbench::zoo
