#!/usr/bin/python3
"""Writes known_answers.txt with numpy alone, sharing no method with src/oracle.

Convolutions are sums over shifted images instead of one product over patches, pooling cuts slices, and every
derivative is written down again. Run it only to add a case: tests/oracle/make_known_answers.py > known_answers.txt
"""
import numpy as np


def noise(count, stream):
    """Multiples of 2^-24 in [-0.5, 0.5), the same in C++ (tests/oracle/support.hpp)."""
    x = (np.arange(count, dtype=np.uint64) * 2654435761 + stream * 2246822519) % 2**32
    x ^= x >> 15
    x = x * 2246822519 % 2**32
    x ^= x >> 13
    return (x >> 8).astype(np.float64) / 2.0**24 - 0.5


class Conv:
    def __init__(self, out, kernel, stride=(1, 1), pads=(0, 0, 0, 0), dilation=(1, 1), groups=1):
        self.out, self.kernel, self.stride, self.pads = out, kernel, stride, pads
        self.dilation, self.groups = dilation, groups

    def shapes(self, shape):
        return [(self.out, shape[0] // self.groups) + self.kernel, (self.out,)]

    def pad(self, x):
        top, left, bottom, right = self.pads
        return np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))

    def taps(self, padded):
        """For each kernel cell: where it reads the padded image for all output positions."""
        (kh, kw), (sy, sx), (dy, dx) = self.kernel, self.stride, self.dilation
        self.h = (padded[2] - dy * (kh - 1) - 1) // sy + 1
        self.w = (padded[3] - dx * (kw - 1) - 1) // sx + 1
        for i in range(kh):
            for j in range(kw):
                yield i, j, slice(i * dy, i * dy + sy * (self.h - 1) + 1, sy), \
                    slice(j * dx, j * dx + sx * (self.w - 1) + 1, sx)

    def split(self, group, channels):
        a, b = channels // self.groups, self.out // self.groups
        return slice(group * a, (group + 1) * a), slice(group * b, (group + 1) * b)

    def forward(self, x, p):
        x = self.pad(x)
        list(self.taps(x.shape))
        y = np.zeros((x.shape[0], self.out, self.h, self.w))
        for i, j, rows, columns in self.taps(x.shape):
            for g in range(self.groups):
                ins, outs = self.split(g, x.shape[1])
                y[:, outs] += np.einsum('nchw,oc->nohw', x[:, ins, rows, columns], p[0][outs, :, i, j])
        return y + p[1][None, :, None, None]

    def parameter_gradients(self, x, dy):
        x = self.pad(x)
        dw = np.zeros((self.out, x.shape[1] // self.groups) + self.kernel)
        for i, j, rows, columns in self.taps(x.shape):
            for g in range(self.groups):
                ins, outs = self.split(g, x.shape[1])
                dw[outs, :, i, j] = np.einsum('nohw,nchw->oc', dy[:, outs], x[:, ins, rows, columns])
        return [dw, dy.sum(axis=(0, 2, 3))]

    def input_gradient(self, x, p, dy):
        dx = np.zeros_like(self.pad(x))
        for i, j, rows, columns in self.taps(dx.shape):
            for g in range(self.groups):
                ins, outs = self.split(g, dx.shape[1])
                dx[:, ins, rows, columns] += np.einsum('nohw,oc->nchw', dy[:, outs], p[0][outs, :, i, j])
        top, left = self.pads[:2]
        return dx[:, :, top:top + x.shape[2], left:left + x.shape[3]]


class Pool:
    def __init__(self, kernel, stride, pads=(0, 0, 0, 0), ceil=False):
        self.kernel, self.stride, self.pads, self.ceil = kernel, stride, pads, ceil

    def shapes(self, shape):
        return []

    def extent(self, size, axis):
        before, after = self.pads[axis], self.pads[axis + 2]
        span = size + before + after - self.kernel[axis]
        count = -(-span // self.stride[axis]) + 1 if self.ceil else span // self.stride[axis] + 1
        if self.ceil and (count - 1) * self.stride[axis] >= size + before:
            count -= 1
        return count

    def windows(self, x):
        for i in range(self.extent(x.shape[2], 0)):
            for j in range(self.extent(x.shape[3], 1)):
                top, left = i * self.stride[0] - self.pads[0], j * self.stride[1] - self.pads[1]
                yield i, j, max(top, 0), top + self.kernel[0], max(left, 0), left + self.kernel[1]

    def forward(self, x, p):
        y = np.zeros(x.shape[:2] + (self.extent(x.shape[2], 0), self.extent(x.shape[3], 1)))
        self.margins = []
        for i, j, t, b, l, r in self.windows(x):
            cells = x[:, :, t:b, l:r].reshape(x.shape[:2] + (-1,))
            y[:, :, i, j] = cells.max(axis=2)
            if cells.shape[2] > 1:
                ordered = np.sort(cells, axis=2)
                best, second = ordered[:, :, -1].ravel(), ordered[:, :, -2].ravel()
                counts = (best != 0) | (second != 0)  # zeros that a relu has made are no near tie
                self.margins += list((best - second)[counts] / np.abs(x).max())
        return y

    def input_gradient(self, x, p, dy):
        dx = np.zeros_like(x)
        for i, j, t, b, l, r in self.windows(x):
            cells = x[:, :, t:b, l:r]
            flat = cells.reshape(x.shape[:2] + (-1,)).argmax(axis=2)
            for n in range(x.shape[0]):
                for c in range(x.shape[1]):
                    y, z = divmod(flat[n, c], cells.shape[3])
                    dx[n, c, t + y, l + z] += dy[n, c, i, j]
        return dx


class Flat:
    def shapes(self, shape):
        return []

    def forward(self, x, p):
        return x.reshape(x.shape[0], -1)

    def input_gradient(self, x, p, dy):
        return dy.reshape(x.shape)


class Dense:
    def __init__(self, out):
        self.out = out

    def shapes(self, shape):
        return [(self.out, shape[0]), (self.out,)]

    def forward(self, x, p):
        return np.einsum('ni,oi->no', x, p[0]) + p[1]

    def parameter_gradients(self, x, dy):
        return [np.einsum('no,ni->oi', dy, x), dy.sum(axis=0)]

    def input_gradient(self, x, p, dy):
        return np.einsum('no,oi->ni', dy, p[0])


class Relu:
    def shapes(self, shape):
        return []

    def forward(self, x, p):
        self.margins = list(np.abs(x).ravel() / np.abs(x).max())
        return np.where(x > 0, x, 0.0)

    def input_gradient(self, x, p, dy):
        return np.where(x > 0, dy, 0.0)


class Network:
    def __init__(self, layers, shape):
        self.layers, self.shape, stream, x = layers, shape, 100, np.zeros((1,) + shape)
        self.parameters = []
        for layer in layers:
            own = []
            for extents in layer.shapes(x.shape[1:]):
                scale = 0.25 if len(extents) == 1 else 2.0**-np.floor(np.log2(np.prod(extents[1:])) / 2)
                own.append(noise(int(np.prod(extents)), stream).reshape(extents) * scale)
                stream += 1
            self.parameters.append(own)
            x = layer.forward(x + 1e-9, own)
        self.classes = x.shape[1]

    def batch(self, rows, stream):
        x = noise(rows * int(np.prod(self.shape)), stream).reshape((rows,) + self.shape)
        return x, (np.arange(rows) * 7 + stream) % self.classes

    def differentiate(self, x, target):
        inputs = []
        for layer, p in zip(self.layers, self.parameters):
            inputs.append(x)
            x = layer.forward(x, p)
        last, p = self.layers[-1], self.parameters[-1]
        logits_scale = last.forward(np.abs(inputs[-1]), [np.abs(q) for q in p]).max()
        rows = np.arange(len(target))
        e = np.exp(x - x.max(axis=1, keepdims=True))
        soft = e / e.sum(axis=1, keepdims=True)
        loss = -np.log(soft[rows, target]).mean()
        dy = soft.copy()
        dy[rows, target] -= 1.0
        dy /= len(target)
        gradients, scales = [], []
        for layer, p, value in reversed(list(zip(self.layers, self.parameters, inputs))):
            own = layer.parameter_gradients(value, dy) if p else []
            gradients.insert(0, own)
            scales = [q.max() for q in (layer.parameter_gradients(np.abs(value), np.abs(dy)) if p else [])] + scales
            dy = layer.input_gradient(value, p, dy)
        return x, loss, logits_scale, gradients, scales

    def train(self, rates, rows, momentum, decay, inside):
        velocity = [[np.zeros_like(q) for q in p] for p in self.parameters]
        start = [[q.copy() for q in p] for p in self.parameters]
        losses = []
        for step, rate in enumerate(rates):
            _, loss, _, gradients, _ = self.differentiate(*self.batch(rows, step))
            losses.append(loss)
            for p, v, g in zip(self.parameters, velocity, gradients):
                for i in range(len(p)):
                    slope = g[i] + (decay * p[i] if i == 0 else 0.0)
                    v[i] = momentum * v[i] + (rate * slope if inside else slope)
                    p[i] = p[i] - (v[i] if inside else rate * v[i])
        deltas = [[q - s for q, s in zip(p, b)] for p, b in zip(self.parameters, start)]
        self.parameters = start
        return losses, deltas


def emit(name, values):
    print(name, len(values), ' '.join(float(v).hex() for v in values))


def digest(array):
    """Sum, sum of magnitudes, position-weighted sum, and eight values spread over the tensor."""
    flat = array.ravel()
    places = [j * (flat.size - 1) // 7 for j in range(8)]
    return [flat.sum(), np.abs(flat).sum(), (flat * (np.arange(flat.size) % 97 + 1)).sum()] + list(flat[places])


def describe(name, network):
    x, loss, logits_scale, gradients, scales = network.differentiate(*network.batch(4, 0))
    emit(name + '.logits', x.ravel())
    emit(name + '.loss', [loss])
    emit(name + '.logits_scale', [logits_scale])
    emit(name + '.gradient_scales', scales)
    for kind in (Relu, Pool):
        margins = sorted(m for layer in network.layers if isinstance(layer, kind) for m in layer.margins)
        emit(name + '.' + kind.__name__.lower() + '_margins', margins[:5])
    for i, gradient in enumerate(g for own in gradients for g in own):
        emit('%s.gradient.%d' % (name, i), digest(gradient))
    for inside in (False, True):
        losses, deltas = network.train([0.02, 0.05, 0.01], 4, 0.9, 0.01, inside)
        form = 'rate_inside' if inside else 'rate_outside'
        emit('%s.%s.losses' % (name, form), losses)
        for i, delta in enumerate(d for own in deltas for d in own):
            emit('%s.%s.delta.%d' % (name, form, i), digest(delta))


describe('lenet', Network([Conv(20, (5, 5)), Pool((2, 2), (2, 2)), Conv(50, (5, 5)), Pool((2, 2), (2, 2)), Flat(),
                           Dense(500), Relu(), Dense(10)], (1, 28, 28)))
describe('windows', Network([Conv(6, (3, 2), stride=(2, 1), pads=(2, 1, 1, 2), dilation=(2, 3), groups=2), Relu(),
                             Pool((3, 2), (2, 2), pads=(1, 0, 1, 1), ceil=True), Flat(), Dense(5)], (4, 11, 9)))
