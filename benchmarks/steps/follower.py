"""Follows the steps of a file in SWMR mode, compares all elements, and prints the lag as rows of a Markdown table.

follower.py FILE"""
import sys
import time

import h5py
import numpy

file = h5py.File(sys.argv[1], 'r', libver='latest', swmr=True)
state, rows = file['_steps/state'], file['_steps/rows']
datasets = [file[path] for path in file['_steps'].attrs['datasets']]
names = [path.strip('/') for path in file['_steps'].attrs['datasets']]


def published():
    state.refresh()
    slots = state[8:].reshape(2, 4)
    whole = slots[slots[:, 3] == ~(slots[:, 0] ^ slots[:, 1] ^ slots[:, 2])]
    return int(whole[:, 0].max()), bool(whole[:, 2].max())


seen, wrong, lags, looks = 0, 0, [], 0
while True:
    steps, ended = published()
    if steps == seen:
        if ended:
            break
        time.sleep(0.001)
        continue
    looks += 1
    for dataset in [rows] + datasets:
        dataset.refresh()
    lengths = rows[seen:steps + 1]
    numbers = numpy.arange(seen, steps)
    if not (lengths[:, 0] == numpy.arange(seen, steps + 1)).all():
        wrong += 1
    for name, dataset in zip(names, datasets):
        part = dataset[seen:steps]
        if name == 'frames':
            right = (part == (numbers & 0xFFFF).astype('u2')[:, None, None]).all(axis=(1, 2))
        elif name == 'value0':
            right, times = part > 0, part
        else:
            right = part == numbers
        if len(right) != steps - seen:
            wrong += 1
        else:
            wrong += int((~right).sum())
    now = time.time()
    lags += list(now - times)
    seen = steps
lags = numpy.sort(numpy.array(lags)) * 1e3
print('| h5py: steps seen, wrong or missing | %d, %d |' % (seen, wrong))
print('| h5py: lag of a step | median %.0f ms, p99 %.0f ms, greatest %.0f ms; %d looks |' % (
    lags[len(lags) // 2], lags[int(len(lags) * 0.99)], lags[-1], looks))
