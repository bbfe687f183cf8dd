"""Losses of the neutral graph as Keras has them. Positions with targets of their own need nothing special."""
import keras

LOSSES = {"softmax_cross_entropy": keras.losses.SparseCategoricalCrossentropy,
          "binary_cross_entropy": keras.losses.BinaryCrossentropy}
