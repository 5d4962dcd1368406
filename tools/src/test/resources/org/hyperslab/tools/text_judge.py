"""Makes files of texts and names in any encoding, and judges what became of them.

make SEED FILE          makes an HDF5 file
netcdf SEED FILE        makes a classic netCDF file
same FILE FILE          names and texts are the same bytes
values FILE FILE        texts are the same bytes, in datasets and attributes of the same names
zarr FILE STORE         what zarr-python reads is spelled
references FILE INDEX   as zarr, of an index
three FILE STORE        the documents of a store of version 3 are valid JSON, and spelled
served FILE URL TOKEN   what a server says is spelled, and its paths are accepted
archive FILE ARCHIVE    NumPy has the texts
dumps FILE FILE         ncdump prints the same bytes
"""
import json
import random
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

import h5py
import numpy as np

LATIN = ["°C", "résumé", "Größe", "ÿ", "naïve", "µm"]
TEXTS = (
    [t.encode("latin-1") for t in LATIN]
    + [t.encode("utf-8") for t in LATIN + ["漢字", "😀"]]
    + [b"plain", b"C:\\data\\2020\\x86", b"\xe9\xc3\xa9\xff", b"\\udce9", b"\\u005cudce9\xe9", b"\xed\xb0\x80", b"a\xf0\x9f\x98"]
)
CSETS = (h5py.h5t.CSET_ASCII, h5py.h5t.CSET_UTF8)


def spelled(raw):
    """The spelling of bytes, by its definition."""
    text = raw.decode("utf-8", "surrogateescape")
    text = re.sub(r"\\(?=(?:u005c)*udc[89a-f][0-9a-f])", r"\\u005c", text)
    return re.sub("[\udc80-\udcff]", lambda one: "\\u%04x" % ord(one.group()), text)


def decoded(raw):
    return raw.decode("utf-8", "surrogateescape")


def is_utf8(raw):
    try:
        raw.decode()
        return True
    except UnicodeDecodeError:
        return False


# --- making ---


def fixed(length, padding, cset):
    tid = h5py.h5t.C_S1.copy()
    tid.set_size(length)
    tid.set_strpad(padding)
    tid.set_cset(cset)
    return tid


def variable(cset):
    tid = h5py.h5t.C_S1.copy()
    tid.set_size(h5py.h5t.VARIABLE)
    tid.set_cset(cset)
    return tid


def texts(rnd, count):
    return [rnd.choice(TEXTS) for _ in range(count)]


def space(count):
    return h5py.h5s.create(h5py.h5s.SCALAR) if count is None else h5py.h5s.create_simple((count,))


def elements(rnd, tid, count):
    some = texts(rnd, 1 if count is None else count)
    if tid.is_variable_str():
        name = "utf-8" if tid.get_cset() == h5py.h5t.CSET_UTF8 else "ascii"
        dtype = h5py.string_dtype(name)
        array = np.array(some, dtype=object).astype(dtype)
        return array.reshape(() if count is None else (count,)), h5py.h5t.py_create(dtype)
    size = tid.get_size()
    pad = b" " if tid.get_strpad() == h5py.h5t.STR_SPACEPAD else b"\0"
    room = size - 1 if tid.get_strpad() == h5py.h5t.STR_NULLTERM else size
    some = [one[:room].ljust(size, pad) for one in some]
    array = np.frombuffer(b"".join(some), dtype=f"S{size}")
    return array.reshape(() if count is None else (count,)), tid


def string_types(rnd):
    for cset in CSETS:
        yield variable(cset)
        for padding in (h5py.h5t.STR_NULLTERM, h5py.h5t.STR_NULLPAD, h5py.h5t.STR_SPACEPAD):
            yield fixed(rnd.choice((2, 7, 12)), padding, cset)


def name(rnd, number):
    """A name without the characters that Zarr's keys or netCDF's names lack, but in any encoding."""
    return b"n%d_" % number + rnd.choice([t for t in TEXTS if b"\\" not in t and b"/" not in t])


def annotate(rnd, oid):
    for number, tid in enumerate(string_types(rnd)):
        count = rnd.choice((None, None, 2))
        aid = h5py.h5a.create(oid, name(rnd, number), tid, space(count))
        array, memory = elements(rnd, tid, count)
        aid.write(array, memory)


def make(seed, path):
    rnd = random.Random(int(seed))
    fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    file = h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, fcpl)
    root = h5py.h5g.open(file, b"/")
    annotate(rnd, root)
    group = h5py.h5g.create(root, name(rnd, 90))
    for parent in (root, group):
        annotate(rnd, parent) if parent is group else None
        for number, tid in enumerate(string_types(rnd)):
            did = h5py.h5d.create(parent, name(rnd, number), tid, space(3))
            array, memory = elements(rnd, tid, 3)
            did.write(h5py.h5s.ALL, h5py.h5s.ALL, array, memory)
            if number == 0:
                annotate(rnd, did)
        number = h5py.h5d.create(parent, name(rnd, 20), h5py.h5t.NATIVE_INT32, space(3))
        number.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(3, dtype="i4"))
        constants = h5py.h5t.enum_create(h5py.h5t.NATIVE_INT8)
        for value in range(3):
            constants.enum_insert(name(rnd, value), value)
        did = h5py.h5d.create(parent, name(rnd, 21), constants, space(3))
        did.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(3, dtype="i1"), constants)
        pair = h5py.h5t.create(h5py.h5t.COMPOUND, 8)
        pair.insert(name(rnd, 0), 0, h5py.h5t.NATIVE_INT32)
        pair.insert(name(rnd, 1), 4, h5py.h5t.NATIVE_INT32)
        did = h5py.h5d.create(parent, name(rnd, 22), pair, space(3))
        did.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(6, dtype="i4"), pair)
    root.links.create_soft(name(rnd, 30), name(rnd, 31))
    file.close()


# --- what a file has ---


def raw(value):
    """Bytes of each text, up to its padding; rows of characters are texts."""
    if isinstance(value, h5py.Empty):
        return []
    if isinstance(value, np.ndarray) and value.dtype == "S1" and value.ndim > 1:
        return [one.tobytes().rstrip(b"\0") for one in value.reshape(-1, value.shape[-1])]
    return [
        one.encode("utf-8", "surrogateescape") if isinstance(one, str) else bytes(one).rstrip(b"\0")
        for one in np.asarray(value, dtype=object).ravel().tolist()
    ]


def is_text(tid):
    return isinstance(tid, h5py.h5t.TypeStringID)


def attributes(item):
    found = {}
    for index in range(h5py.h5a.get_num_attrs(item.id)):
        aid = h5py.h5a.open(item.id, index=index)
        if is_text(aid.get_type()):
            found[aid.name] = raw(item.attrs[aid.name]), aid.shape
    return found


def members(item):
    for index in range(item.id.get_num_objs()):
        yield item.id.get_objname_by_idx(index)


def described(tid):
    if isinstance(tid, h5py.h5t.TypeEnumID):
        return [tid.get_member_name(i) for i in range(tid.get_nmembers())]
    if isinstance(tid, h5py.h5t.TypeCompoundID):
        return [tid.get_member_name(i) for i in range(tid.get_nmembers())]
    if is_text(tid):
        size = 0 if tid.is_variable_str() else tid.get_size()
        return [tid.get_cset(), tid.get_strpad(), size]
    return []


def content(item, path=b""):
    """Paths to attributes, types and texts, all bytes."""
    own = {path: (attributes(item), None, None)}
    if isinstance(item, h5py.Datatype):
        return {path: (attributes(item), described(item.id), None)}
    if isinstance(item, h5py.Dataset):
        tid = item.id.get_type()
        return {path: (attributes(item), described(tid), raw(item[()]) if is_text(tid) else None)}
    for each in members(item):
        link = item.id.links.get_info(each)
        if link.type == h5py.h5l.TYPE_SOFT:
            own[path + b"/" + each] = item.id.links.get_val(each)
        else:
            own.update(content(item[each], path + b"/" + each))
    return own


def contents(path):
    with h5py.File(path, "r") as file:
        return content(file["/"])


def same(a, b):
    a, b = contents(a), contents(b)
    assert a == b, [(k, a.get(k), b.get(k)) for k in {**a, **b} if a.get(k) != b.get(k)][:3]


def values(a, b):
    a, b = contents(a), contents(b)
    compared = 0
    for path, entry in a.items():
        if not isinstance(entry, tuple):
            continue
        if path not in b:
            # Names of Zarr, of archives and of netCDF are UTF-8, and version 3 has no compounds.
            assert not is_utf8(path) or entry[1] and entry[2] is None, (path, list(b))
            continue
        for key, (text, _) in entry[0].items():
            if not is_utf8(key) and key not in b[path][0]:
                continue
            ours = b[path][0][key][0]
            assert ours == text or [t.rstrip(b" ") for t in text] == ours, (path, key, text, ours)
            compared += 1
        if entry[2] is not None:
            ours = b[path][2]
            assert [t.rstrip(b" ") for t in ours] == [t.rstrip(b" ") for t in entry[2]], (path, entry[2], ours)
            compared += 1
    assert compared > 5, compared


# --- Zarr ---


def plain(text):
    """A text of JSON must be Unicode."""
    text.encode("utf-8")
    assert "?" not in text and "\ufffd" not in text, text
    return text


def check_attributes(path, given, ours):
    for key, (text, shape) in given.items():
        expected = [spelled(t) for t in text]
        mine = ours[plain(spelled(key))]
        mine = [plain(t) for t in (mine if isinstance(mine, list) else [mine])]
        assert mine == expected or mine == [t.rstrip(" ") for t in expected], (path, key, mine, expected)


def check_store(file, group):
    given = contents(file)
    arrays = 0
    for path, entry in given.items():
        if not is_utf8(path) or not isinstance(entry, tuple):
            continue
        key = path.decode().lstrip("/")
        item = group[key] if key else group
        check_attributes(path, entry[0], dict(item.attrs))
        if entry[2] is not None:
            ours = np.asarray(item[()]).ravel()
            if ours.dtype == object:
                assert [plain(t) for t in ours] == [spelled(t) for t in entry[2]], (path, list(ours), entry[2])
            else:
                assert [bytes(t).rstrip(b" ") for t in ours] == [t.rstrip(b" ") for t in entry[2]], (path, list(ours), entry[2])
            arrays += 1
    assert arrays > 0


def zarr(file, store):
    import zarr as reader

    check_store(file, reader.open_group(store, mode="r"))
    check_store(file, reader.open_consolidated(store, mode="r"))


def references(file, index):
    import fsspec
    import zarr as reader

    text = open(index, "rb").read().decode("utf-8")
    plain(json.loads(text)["refs"][".zattrs"])
    store = fsspec.filesystem("reference", fo=index, remote_protocol="file").get_mapper("")
    check_store(file, reader.open_group(store, mode="r"))


def three(file, store):
    import os

    given = contents(file)
    documents = 0
    for folder, _, names in os.walk(os.fsencode(store)):
        if b"zarr.json" not in names:
            continue
        path = folder[len(os.fsencode(store)):]
        with open(folder + b"/zarr.json", "rb") as document:
            parsed = json.loads(document.read().decode("ascii"))
        check_attributes(path, given[path][0], parsed["attributes"])
        documents += 1
    assert documents > 3


# --- a server ---


def served(file, url, token):
    def ask(page, **query):
        address = url + page + "?" + urllib.parse.urlencode(query, errors="surrogateescape")
        request = urllib.request.Request(address, headers={"Authorization": "Bearer " + token})
        with urllib.request.urlopen(request) as reply:
            return reply.read().decode("utf-8")

    given = contents(file)
    name = file.split("/")[-1]
    for path, entry in given.items():
        spelling = spelled(path) or "/"
        for way in (spelling, decoded(path) or "/"):  # as replies spell it, and as bytes
            meta = json.loads(plain_body(ask("/meta", file=name, path=way)))
            assert meta["name"] == spelling.split("/")[-1], (meta, spelling)
        if not isinstance(entry, tuple):
            continue
        check_attributes(path, entry[0], json.loads(plain_body(ask("/attr", file=name, path=spelling))))
        for key in entry[0]:
            some = json.loads(ask("/attr", file=name, path=spelling, attr_keys=spelled(key)))
            assert list(some) == [spelled(key)]
        if entry[2] is not None:
            ours = json.loads(plain_body(ask("/data", file=name, path=spelling)))
            assert [t.rstrip(" ") for t in ours] == [spelled(t).rstrip(" ") for t in entry[2]], (path, ours, entry[2])
            plain_body(ask("/data", file=name, path=spelling, format="csv"))
        elif entry[1]:
            types = json.dumps(meta["type"])
            for one in entry[1]:
                assert json.dumps(spelled(one)) in types, (one, types)
    paths = json.loads(plain_body(ask("/paths", file=name, path="/", resolve_links="none")))
    expected = sorted(spelled(p) or "/" for p in given)
    assert sorted(paths) == expected, (paths, expected)


def plain_body(text):
    """A reply, which has neither marks for bytes nor halves of characters."""
    assert "\ufffd" not in text and "?" not in text, text
    if text[:1] in "{[":
        json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8")
    return text


def archive(file, path):
    given = contents(file)
    with np.load(path) as arrays:
        compared = 0
        for name in arrays.files:
            text = given[b"/" + name.encode()][2]
            if text is None:
                continue
            ours = arrays[name]
            mine = [t.encode("utf-8", "surrogateescape") if ours.dtype.kind == "U" else bytes(t) for t in ours]
            assert [t.rstrip(b" ") for t in mine] == [t.rstrip(b" ") for t in text], (name, mine, text)
            compared += 1
        assert compared > 0


# --- netCDF ---


def netcdf(seed, path):
    import netCDF4

    rnd = random.Random(int(seed))
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as out:
        out.createDimension("n", 3)
        out.createDimension("length", 8)
        made = [out, out.createVariable("t", "f4", ("n",), fill_value=7)]
        for number, fill in enumerate((None, b"\xe9", b"\xb0")):
            made.append(out.createVariable(f"c{number}", "S1", ("n", "length"), fill_value=fill))
            made[-1].set_auto_mask(False)
            for row in range(2):
                made[-1][row] = np.frombuffer(rnd.choice(TEXTS)[:8].ljust(8, b"\0"), "S1")
        for each in made:
            for number in range(4):
                each.setncattr(f"a{number}", rnd.choice(TEXTS))
    assert b"\xe9" in open(path, "rb").read()


def dumps(a, b):
    texts = [subprocess.run(["ncdump", path], check=True, capture_output=True).stdout for path in (a, b)]
    a, b = (sorted(text.split(b"\n", 1)[1].splitlines()) for text in texts)
    assert a == b, (set(a) ^ set(b))
    subprocess.run(["nccopy", sys.argv[3], sys.argv[3] + ".copy"], check=True)


globals()[sys.argv[1]](*sys.argv[2:])
