"""Makes files from edits given as lines of text, and reads files, with h5py, for H5pyDifferentialTest.
Reads requests from standard input, one per line, and answers each with one line."""
import sys
import h5py
import numpy as np

ENUM = h5py.enum_dtype({'RED': 0, 'GREEN': 1, 'BLUE': 2}, basetype='i1')
PAIR = np.dtype([('a', '<i4'), ('b', '>f8'), ('n', 'S4')])
TEXTS = np.dtype([('id', '<i8'), ('text', h5py.string_dtype())])
NESTED = np.dtype([('inner', PAIR), ('v', '<i2', (3,))])
TYPES = {
    'i8': np.dtype('i1'), 'u8': np.dtype('u1'), 'i16be': np.dtype('>i2'), 'u16': np.dtype('<u2'),
    'i32': np.dtype('<i4'), 'i32be': np.dtype('>i4'), 'i64': np.dtype('<i8'),
    'f16': np.dtype('<f2'), 'f32be': np.dtype('>f4'), 'f64': np.dtype('<f8'),
    'string': np.dtype('S6'), 'text': h5py.string_dtype(), 'enum': ENUM, 'pair': PAIR,
    'texts': TEXTS, 'nested': NESTED, 'array': np.dtype(('<i2', (3,))),
    'vlen': h5py.vlen_dtype(np.dtype('<i4')), 'opaque': np.dtype('V5'),
    'ref': h5py.ref_dtype,
}
FLOATS = ('f16', 'f32be', 'f64')


def number(seed, i):
    return (seed * 31 + i * 17) % 97


def element(kind, x, f):
    if kind in FLOATS: return x / 4
    if kind == 'string': return ('s%d' % x).encode()
    if kind == 'text': return 't%d' % x + 'x' * (x % 40)
    if kind == 'enum': return x % 3
    if kind == 'pair': return (x, x / 4, b'n%d' % (x % 50))
    if kind == 'texts': return (x, 't%d' % x)
    if kind == 'nested': return ((x, x / 4, b'n%d' % (x % 50)), (x, x + 1, x + 2))
    if kind == 'array': return (x, x + 1, x + 2)
    if kind == 'vlen': return np.arange(x, x + x % 5, dtype='<i4')
    if kind == 'opaque': return np.void(bytes([x, 1, 2, 3, 255]))
    if kind == 'ref': return f.ref
    return x


def values(kind, seed, dims, f):
    count = int(np.prod(dims, dtype=int))
    if kind == 'array':
        return np.array([element(kind, number(seed, i), f) for i in range(count)],
                        dtype='<i2').reshape(tuple(dims) + (3,))
    all = np.empty(count, dtype=TYPES[kind])
    for i in range(count):
        all[i] = element(kind, number(seed, i), f)
    return all.reshape(dims)


def numbers(text):
    return [] if text == '-' else [int(n) for n in text.split(',')]


def write_all(identifier, kind, value, memory=None, file=None):
    """Writes elements in the type that they have in the file."""
    # Python's objects are converted only if they are not called by their type in the file.
    kind_type = h5py.h5t.py_create(TYPES[kind], logical=kind == 'enum')
    value = np.ascontiguousarray(value)
    if memory is None: identifier.write(value, mtype=kind_type)
    else: identifier.write(memory, file, value, mtype=kind_type)


def with_groups():
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    return links


def commit(f, words):
    path, kind = words
    # Those that are the library's own cannot be committed.
    copy = h5py.h5t.py_create(TYPES[kind], logical=True).copy()
    copy.commit(f.id, path.encode(), with_groups())


def dataset(f, words):
    path, kind, layout, dims, most, chunk, filters, fill, shared = words
    space = h5py.h5s.create_simple(
        tuple(numbers(dims)),
        tuple(h5py.h5s.UNLIMITED if n < 0 else n for n in numbers(most))
    ) if dims != '-' else h5py.h5s.create(h5py.h5s.SCALAR)
    options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if layout == 'compact': options.set_layout(h5py.h5d.COMPACT)
    if layout == 'contiguous': options.set_layout(h5py.h5d.CONTIGUOUS)
    if layout in ('chunked', 'early'): options.set_chunk(tuple(numbers(chunk)))
    if layout == 'early': options.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    for name in filters.split('+'):
        if name == 'shuffle': options.set_shuffle()
        if name == 'deflate': options.set_deflate(3)
        if name == 'fletcher32': options.set_fletcher32()
    if fill != '-': options.set_fill_value(np.array(int(fill), dtype=TYPES[kind]))
    # Without this, elements that nobody wrote are what stood in the space before.
    options.set_fill_time(h5py.h5d.FILL_TIME_ALLOC)
    kind_type = h5py.h5t.py_create(TYPES[kind], logical=True)
    if shared != '-': kind_type = h5py.h5t.open(f.id, shared.encode())
    h5py.h5d.create(f.id, path.encode(), kind_type, space, options, with_groups())


def made(f, path, kind, space, options):
    options.set_fill_time(h5py.h5d.FILL_TIME_ALLOC)
    h5py.h5d.create(f.id, path.encode(), h5py.h5t.py_create(TYPES[kind], logical=True), space,
                    options, with_groups())


def virtual(f, words):
    path, kind, dims = words[:3]
    dims = tuple(numbers(dims))
    options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    for at in range(3, len(words), 4):
        there, here, count = (tuple(numbers(w)) for w in words[at + 1:at + 4])
        source = f[words[at]].id.get_space()
        source.select_hyperslab(there, count)
        target = h5py.h5s.create_simple(dims)
        target.select_hyperslab(here, count)
        options.set_virtual(target, b'.', words[at].encode(), source)
    made(f, path, kind, h5py.h5s.create_simple(dims), options)


def growing(f, words):
    path, kind, first, second, block = words
    block, unlimited = int(block), h5py.h5s.UNLIMITED
    options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    for i, name in enumerate((first, second)):
        source = f[name].id.get_space()
        source.select_hyperslab((0,), (1,), (1,), (unlimited,))
        target = h5py.h5s.create_simple((0,), (unlimited,))
        target.select_hyperslab((i * block,), (unlimited,), (2 * block,), (block,))
        options.set_virtual(target, b'.', name.encode(), source)
    made(f, path, kind, h5py.h5s.create_simple((0,), (unlimited,)), options)


def numbered(f, words):
    path, kind, block, sources = words
    block, unlimited = int(block), h5py.h5s.UNLIMITED
    options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    target = h5py.h5s.create_simple((0,), (unlimited,))
    target.select_hyperslab((0,), (unlimited,), (block,), (block,))
    source = h5py.h5s.create_simple((block,))
    options.set_virtual(target, b'.', (path + 's%b').encode(), source)
    made(f, path, kind, h5py.h5s.create_simple((0,), (unlimited,)), options)
    for number in numbers(sources):
        name = path + 's%d' % number
        contiguous = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        made(f, name, kind, h5py.h5s.create_simple((block,)), contiguous)
        write(f, (name, kind, '0', str(block), str(7 * number + 1)))


def region(f, words):
    path, target, start, count = words
    box = tuple(slice(s, s + c) for s, c in zip(numbers(start), numbers(count)))
    d = f.create_dataset(path, (1,), dtype=h5py.regionref_dtype)
    d[0] = f[target].regionref[box]


def raw(f, words):
    path, kind, dims, name, seed = words
    dims = tuple(numbers(dims))
    size = h5py.h5t.py_create(TYPES[kind], logical=True).get_size()
    total = int(np.prod(dims, dtype=int)) * size
    half = total // 2
    base = (f.filename + '.' + name).encode()
    options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if half == 0:
        options.set_external(base, 3, total)
    else:
        options.set_external(base, 3, half)
        options.set_external(base, half + 7, total - half)
    made(f, path, kind, h5py.h5s.create_simple(dims), options)
    write(f, (path, kind, ','.join(['0'] * len(dims)), words[2], seed))


def write(f, words):
    path, kind, start, count, seed = words
    d = f[path]
    start, count = tuple(numbers(start)), tuple(numbers(count))
    value = values(kind, int(seed), count, f)
    space = d.id.get_space()
    memory = h5py.h5s.create(h5py.h5s.SCALAR)
    if count:
        space.select_hyperslab(start, count)
        memory = h5py.h5s.create_simple(count)
    write_all(d.id, kind, value, memory, space)


def attribute(f, words):
    path, name, kind, dims, seed = words
    o = f[path]
    if name in o.attrs: del o.attrs[name]
    shape = tuple(numbers(dims))
    space = h5py.h5s.create_simple(shape) if shape else h5py.h5s.create(h5py.h5s.SCALAR)
    a = h5py.h5a.create(o.id, name.encode(),
                        h5py.h5t.py_create(TYPES[kind], logical=True), space)
    write_all(a, kind, values(kind, int(seed), shape, f))


def edit(f, line):
    words = line.split(' ')
    verb, words = words[0], words[1:]
    if verb == 'group': f.create_group(words[0])
    elif verb == 'dataset': dataset(f, words)
    elif verb == 'write': write(f, words)
    elif verb == 'commit': commit(f, words)
    elif verb == 'virtual': virtual(f, words)
    elif verb == 'growing': growing(f, words)
    elif verb == 'numbered': numbered(f, words)
    elif verb == 'region': region(f, words)
    elif verb == 'raw': raw(f, words)
    elif verb == 'extent': f[words[0]].id.set_extent(tuple(numbers(words[1])))
    elif verb == 'attribute': attribute(f, words)
    elif verb == 'noattribute': del f[words[0]].attrs[words[1]]
    elif verb == 'delete': del f[words[0]]
    elif verb == 'hard': f[words[0]] = f[words[1]]
    elif verb == 'soft': f[words[0]] = h5py.SoftLink(words[1])
    elif verb == 'external': f[words[0]] = h5py.ExternalLink(words[1], words[2])
    elif verb == 'move': f.move(words[0], words[1])
    elif verb == 'flush': f.flush()
    else: raise ValueError(line)


BOUNDS = {'EARLIEST': ('earliest', 'v110'), 'V18': ('v108', 'v110'), 'V110': ('v110', 'v110'), 'V200': ('v108', 'v110')}


def make(path, bounds, lines):
    f = h5py.File(path, 'w', libver=BOUNDS[bounds])
    try:
        for line in lines:
            if line == 'reopen':
                f.close()
                f = h5py.File(path, 'r+', libver=BOUNDS[bounds])
            else:
                edit(f, line)
    finally:
        f.close()


def text(x):
    if isinstance(x, h5py.Reference): return 'ref' if x else ''
    if isinstance(x, bytes): return x.decode()
    if isinstance(x, str): return x
    if isinstance(x, np.ndarray): return '[' + ' '.join(text(y) for y in x) + ']'
    if isinstance(x, np.void):
        if x.dtype.names: return '(' + ' '.join(text(x[n]) for n in x.dtype.names) + ')'
        return x.tobytes().hex()
    if isinstance(x, (float, np.floating)): return '%dq' % round(float(x) * 4)
    return str(int(x))


def elements(array, shape):
    array = np.asarray(array)
    count = int(np.prod(shape, dtype=int))
    if array.ndim > len(shape): rows = array.reshape((count,) + array.shape[len(shape):])
    else: rows = array.reshape(-1)
    return ';'.join(text(rows[i]) for i in range(count))


def shape_text(shape):
    return ','.join(str(n) for n in shape)


def region_text(o, reference):
    space = h5py.h5r.get_region(reference, o.id)
    low, high = space.get_select_bounds()
    return '%d %s %s' % (space.get_select_npoints(), shape_text(low), shape_text(high))


def describe(path, o, lines):
    letter = 'D' if isinstance(o, h5py.Dataset) else 'N' if isinstance(o, h5py.Datatype) else 'G'
    lines.append('%s %s' % (letter, path))
    for name in sorted(o.attrs):
        value = o.attrs.get_id(name)
        shape = value.shape
        lines.append('A %s %s %s %s' % (path, name, shape_text(shape), elements(o.attrs[name], shape)))
    if isinstance(o, h5py.Datatype):
        lines.append('T %s' % path)
    elif isinstance(o, h5py.Dataset) and h5py.check_ref_dtype(o.dtype) is h5py.RegionReference:
        lines.append('R %s %s' % (path, ';'.join(region_text(o, r) for r in o[()])))
    elif isinstance(o, h5py.Dataset):
        if o.id.get_type().committed(): lines.append('C %s' % path)
        most = ','.join('-1' if n is None else str(n) for n in o.maxshape)
        lines.append('E %s %s %s %s' % (path, shape_text(o.shape), most, elements(o[()], o.shape)))
    else:
        for name in sorted(o):
            link = o.get(name, getlink=True)
            child = ('' if path == '/' else path) + '/' + name
            if isinstance(link, h5py.SoftLink): lines.append('S %s %s' % (child, link.path))
            elif isinstance(link, h5py.ExternalLink):
                lines.append('X %s %s %s' % (child, link.filename, link.path))
            else: describe(child, o[name], lines)


def main():
    while True:
        line = sys.stdin.readline()
        if not line: return
        request = line.rstrip('\n').split('\t')
        try:
            if request[0] == 'make':
                make(request[1], request[2], request[3:])
                print('done', flush=True)
            else:
                lines = []
                with h5py.File(request[1], 'r') as f: describe('/', f, lines)
                print('\t'.join(lines), flush=True)
        except Exception as e:
            print('FAILED %s: %s' % (type(e).__name__, str(e).replace('\n', ' ')), flush=True)


main()
