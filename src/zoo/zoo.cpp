#include "zoo/zoo.hpp"

namespace dlbench::zoo {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"lenet", "Caffe's LeNet for 28x28 grey images (examples/mnist/lenet_train_test.prototxt)", &lenet},
      {"mnist_tensorflow", "TensorFlow's deep network for digits, with dropout (tutorials, mnist_deep)",
       &mnist_tensorflow},
      {"mnist_theano", "Theano's LeNet with tanh (deep learning tutorials, convolutional_mlp)",
       &mnist_theano},
      {"mnist_torch", "Torch7's network for digits on 32x32 pixels (demos, train-on-mnist)", &mnist_torch},
      {"cifar10_caffe", "Caffe's cifar10_quick, pools rounded up", &cifar10_caffe},
      {"cifar10_tensorflow", "TensorFlow's CIFAR-10 tutorial, crops of 24x24, two lrn", &cifar10_tensorflow},
      {"cifar10_torch", "Torch7's network with connection tables (demos, train-on-cifar)", &cifar10_torch},
      {"alexnet_r_floor", "AlexNet-R of Shi et al. 2016 as TensorFlow, CNTK, MXNet and Torch had it",
       &alexnet_r_floor},
      {"alexnet_r_ceil", "AlexNet-R as Caffe had it: pools rounded up, 15 % more work", &alexnet_r_ceil},
      {"fcn_r", "FCN-R of Shi et al. 2016 as four of five frameworks had it: 2048, 4096, 1024", &fcn_r},
      {"fcn_r_published", "FCN-R as published: 4096, 2048, 1024", &fcn_r_published},
      {"resnet56", "ResNet-56 for 32x32 pictures, projections where the width grows", &resnet56},
      {"tartu_mnist", "Elshawi et al. 2021 for digits: two convolutions, two dropouts", &tartu_mnist},
      {"tartu_cifar10", "Elshawi et al. 2021 for CIFAR-10, as its Keras notebook", &tartu_cifar10},
      {"tartu_cifar100", "Elshawi et al. 2021 for CIFAR-100, as its Keras notebook", &tartu_cifar100},
      {"tartu_svhn", "Elshawi et al. 2021 for SVHN, as its Keras notebook: seven normalisations",
       &tartu_svhn},
      {"lstm_lm", "Shi et al. 2016: two layers of 256, the next of 10,000 words at 32 positions", &lstm_lm},
      {"lstm_ptb", "Elshawi et al. 2021: two layers of 200 and dropout, the next word at 30 positions",
       &lstm_ptb},
      {"lstm_imdb", "Elshawi et al. 2021: good or bad review of 500 words, one layer of 100", &lstm_imdb},
      {"inception_block", "one block of four branches behind a short stem", &inception_block},
  };
  return all;
}

const Entry* find(const std::string& name) {
  for (const Entry& entry : entries()) {
    if (entry.name == name) {
      return &entry;
    }
  }
  return nullptr;
}

}  // namespace dlbench::zoo
