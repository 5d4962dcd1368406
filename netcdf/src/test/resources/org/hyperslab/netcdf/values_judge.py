"""Judges decoded values, times and selections by netCDF4-python, cftime and xarray.

  times IN                lines "value|units|calendar"; prints the date of each by cftime, or "none"
  numbers IN              lines "date|units|calendar"; prints the number of each by cftime
  pack FOLDER SEED COUNT  writes random packed variables as *.nc, and the values that netCDF4-python reads as
                          doubles in *.f8, NaN for missing; xarray must agree where it has a rule
  packed FOLDER           of each *.nc: the variable "ours" has the stored numbers that netCDF4-python writes for
                          the values in *.in
  select FOLDER SEED N    writes select.nc, and prints random selections with the indexes that xarray finds
"""
import os
import random
import re
import sys
import warnings

import cftime
import netCDF4
import numpy as np

warnings.simplefilter("ignore")
KINDS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]


# --- times ---

def date_of(text, calendar):
    parts = re.fullmatch(r"(-?\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:\.(\d+))?", text).groups()
    micros = int(((parts[6] or "") + "000000")[:6])
    return cftime.datetime(*[int(p) for p in parts[:6]], micros, calendar=calendar)


def times(path):
    with open(path) as lines:
        for line in lines:
            value, units, calendar = line.rstrip("\n").split("|")
            number = int(value) if re.fullmatch(r"-?\d+", value) else float(value)
            try:
                date = cftime.num2date(number, units, calendar, only_use_cftime_datetimes=True)
                print(date.isoformat())
            except (ValueError, OverflowError):
                print("none")


def numbers(path):
    with open(path) as lines:
        for line in lines:
            date, units, calendar = line.rstrip("\n").split("|")
            print(repr(float(cftime.date2num(date_of(date, calendar), units, calendar))))


# --- packed values ---

def some(r, kind, count):
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        return np.array([r.choice([0, 1, -1, 2.5, r.gauss(0, 100), float("nan")])
                         for _ in range(count)], dtype)
    info = np.iinfo(dtype)
    near = lambda: r.choice([0, 1, 2, 3, int(info.max), int(info.min), int(info.max) - 1, int(info.min) + 1,
                             r.randint(int(info.min), int(info.max))])
    return np.array([near() for _ in range(count)], dtype)


def attributes(r, v, kind, data):
    pick = lambda: data[r.randrange(len(data))] if r.random() < 0.7 else some(r, kind, 1)[0]
    if r.random() < 0.4:
        v.missing_value = pick() if r.random() < 0.5 else np.array([pick(), pick()], kind)
    limits = sorted([x for x in (pick(), pick()) if x == x])
    which = r.randrange(6)
    if len(limits) == 2 and which == 0:
        v.valid_range = np.array(limits, kind)
    elif len(limits) == 2 and which < 3:
        if which == 1:
            v.valid_min = limits[0]
        v.valid_max = limits[1]
    real = r.choice([np.float32, np.float64])
    if r.random() < 0.5:
        v.scale_factor = real(r.choice([0.1, 0.01, 2, 1, 1 / 3]))
    if r.random() < 0.5:
        v.add_offset = real(r.choice([0, 5, 273.15, -1000]))
    if np.dtype(kind).kind == "i" and r.random() < 0.4:
        v._Unsigned = r.choice(["true", "True"])


def decoded(path):
    with netCDF4.Dataset(path) as file:
        v = file["v"]
        values = np.ma.filled(np.ma.asarray(v[:]).astype("f8"), np.nan)
        scale = [getattr(v, n) for n in ("scale_factor", "add_offset") if n in v.ncattrs()]
        # netCDF4-python computes in the attributes' precision
        file.set_auto_maskandscale(False)
        raw = v[:]
        if "_Unsigned" in v.ncattrs():
            raw = raw.view(raw.dtype.str.replace("i", "u"))
        full = raw.astype("f8")
        if scale:
            full = full * np.float64(getattr(v, "scale_factor", 1)) + np.float64(getattr(v, "add_offset", 0))
        shown = ~np.isnan(values)
        assert np.allclose(values[shown], full[shown], rtol=1e-5, atol=1e-4), (path, values, full)
        return np.where(shown, full, np.nan), raw


def xarray_agrees(path, values, raw):
    import xarray
    with netCDF4.Dataset(path) as file:
        v = file["v"]
        names = set(v.ncattrs())
        if getattr(v, "_Unsigned", "true") != "true":  # xarray knows this word only
            return
        marks = [n for n in ("_FillValue", "missing_value") if n in names]
        both = len(marks) == 2
        if not marks or both or any(n.startswith("valid") for n in names) or np.size(v.getncattr(marks[0])) > 1:
            return
        if "_FillValue" not in names and (raw == netCDF4.default_fillvals[raw.dtype.str[1:]]).any():
            return
        if raw.dtype.itemsize == 8 and raw.dtype.kind != "f" or "_Unsigned" in names and "missing_value" in names:
            return
    with xarray.open_dataset(path, decode_times=False) as data:
        found = data["v"].values.astype("f8")
    assert (np.isnan(found) == np.isnan(values)).all(), (path, found, values)
    shown = ~np.isnan(values)
    assert np.allclose(found[shown], values[shown], rtol=1e-2, atol=1e-2), (path, found, values)


def pack(folder, seed, count):
    for i in range(int(count)):
        r = random.Random("%s pack %d" % (seed, i))
        kind = r.choice(KINDS)
        path = os.path.join(folder, "%04d.nc" % i)
        data = some(r, kind, 12)
        with netCDF4.Dataset(path, "w") as file:
            file.createDimension("x", None if r.random() < 0.3 else 12)
            fill = r.choice([None, None, data[0], some(r, kind, 1)[0]])
            if fill is None and kind in ("i1", "u1"):  # of these netCDF4-python masks 255 and -127, ncdump does not
                fill = data[0]
            v = file.createVariable("v", kind, ["x"], fill_value=fill)
            v.set_auto_maskandscale(False)
            attributes(r, v, kind, data)
            v[:12] = data
            if r.random() < 0.3:
                w = file.createVariable("longer", "i1", ["x"])
                w[:] = np.zeros(15 if file.dimensions["x"].isunlimited() else 12, "i1")
        values, raw = decoded(path)
        xarray_agrees(path, values, raw)
        values.astype("<f8").tofile(path[:-2] + "f8")


def packed(folder):
    done = 0
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".in"):
            continue
        values = np.fromfile(os.path.join(folder, name), "<f8")
        path = os.path.join(folder, name[:-2] + "nc")
        with netCDF4.Dataset(path, "a") as file:
            ours = file["ours"]
            options = {} if "_FillValue" not in ours.ncattrs() else {"fill_value": ours._FillValue}
            theirs = file.createVariable("theirs", ours.dtype, ours.dimensions, **options)
            theirs.setncatts({n: ours.getncattr(n) for n in ours.ncattrs() if n != "_FillValue"})
            theirs[:] = np.ma.masked_invalid(values)
            file.set_auto_maskandscale(False)
            a, b = ours[:], theirs[:]
            assert a.tobytes() == b.tobytes(), (path, values, a, b)
        done += 1
    print(done)


# --- selections ---

def select(folder, seed, count):
    import xarray
    r = random.Random("%s select" % seed)
    path = os.path.join(folder, "select.nc")
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("lat", 9), ("lon", 12), ("time", 20), ("station", 3)):
            file.createDimension(name, size)
        lat = file.createVariable("lat", "f4", ["lat"])
        lat[:] = np.linspace(80, -80, 9)
        lon = file.createVariable("lon", "f8", ["lon"])
        lon[:] = np.arange(12) * 30.0
        time = file.createVariable("time", "i4", ["time"])
        time.units = "hours since 1999-12-25 12:00"
        time[:] = np.arange(20) * 12
        station = file.createVariable("station", str, ["station"])
        station[:] = np.array(["Oslo", "Rome", "Bonn"], dtype=object)
        v = file.createVariable("v", "i4", ["time", "lat", "lon"])
        v[:] = np.arange(20 * 9 * 12).reshape(20, 9, 12)
    with xarray.open_dataset(path) as data:
        v = data["v"].load()
    day = lambda: np.datetime64("1999-12-25T00:00") + np.timedelta64(r.randrange(0, 300), "h")
    for _ in range(int(count)):
        a, b = sorted([r.choice([r.uniform(-100, 100), 20 * r.randint(-4, 4), 10 * r.randint(-9, 9)])
                       for _ in range(2)])
        x = r.choice([r.uniform(-50, 400), 15.0 * r.randint(-1, 24)])
        first, last = sorted([day(), day()])
        found = v.sel(lat=slice(b, a), time=slice(first, last)).sel(lon=x, method="nearest")
        one = v.sel(time=day(), method="nearest")
        at = day()
        near = v.sel(time=at, method="nearest")
        flat = " ".join(str(n) for n in found.values.ravel())
        print("|".join([repr(float(a)), repr(float(b)), repr(float(x)), str(first) + ":00", str(last) + ":00",
                        flat, str(at) + ":00", str(near.values.ravel()[0])]))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
