"""Compares a dataset of an HDF5 file with an array of a Zarr store: FILE DATASET STORE ARRAY."""
import sys

import h5py
import numpy as np
import zarr

file, dataset, store, array = sys.argv[1:]
with h5py.File(file, "r") as opened:
    expected = opened[dataset][...]
stored = zarr.open(store, mode="r")[array]
assert np.array_equal(stored[...], expected)
print(stored.compressor.cname, stored.nchunks_initialized)
