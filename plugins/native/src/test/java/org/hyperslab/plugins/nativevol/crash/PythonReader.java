package org.hyperslab.plugins.nativevol.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.testkit.Oracle;

/** Reads the content of many files with h5py, one after another, in one process. */
final class PythonReader {

  private static final String READ =
      """
      import sys, os, h5py, numpy as np
      def number(a): return ','.join(str(int(x)) for x in np.asarray(a).reshape(-1))
      def text(x): return x.decode() if isinstance(x, bytes) else str(x)
      def object(path, o, lines):
        lines.append('G\\t' + path)
        for name in o.attrs:
          value = o.attrs[name]
          numeric = not isinstance(value, (str, bytes))
          lines.append('A\\t%s\\t%s\\t%s'
              % (path, name, number(value) if numeric else 'text ' + text(value)))
        if isinstance(o, h5py.Dataset):
          dims = ','.join(str(d) for d in o.shape)
          if o.dtype.kind == 'i':
            lines.append('D\\t%s\\t%s\\t%s' % (path, dims, number(o[()])))
          else:
            all = ''.join(text(x) + '\\x1f' for x in o[()].reshape(-1))
            lines.append('T\\t%s\\t%s\\t%s' % (path, dims, all))
        else:
          for name in o:
            link = o.get(name, getlink=True)
            child = ('' if path == '/' else path) + '/' + name
            if isinstance(link, h5py.SoftLink): lines.append('S\\t%s\\t%s' % (child, link.path))
            else: object(child, o[name], lines)
      for i in range(int(sys.argv[2])):
        try:
          lines = []
          with h5py.File(os.path.join(sys.argv[1], '%d.h5' % i), 'r') as f: object('/', f, lines)
          print('FILE')
          for line in lines: print(line)
        except Exception as e:
          print('REFUSED\\t%d %s: %s' % (len(lines), type(e).__name__, str(e).replace('\\n', ' ')))
      """;

  private PythonReader() {}

  /**
   * The content of a file as h5py reads it.
   *
   * @param state the content, if h5py opened the file and read all of it
   * @param refusal why it did not
   */
  record Seen(Optional<State> state, String refusal) {

    /** Returns whether h5py did not recognize it as an HDF5 file. */
    boolean notOpened() {
      return state.isEmpty() && refusal.startsWith("0 ");
    }
  }

  /** Writes images into a folder as 0.h5 and so on, and reads them. */
  static List<Seen> read(Path folder, List<byte[]> images) {
    Oracle python = Oracle.h5py();
    try {
      Files.createDirectories(folder);
      for (int i = 0; i < images.size(); i++) {
        Files.write(folder.resolve(i + ".h5"), images.get(i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String output = python.run(READ, folder.toString(), "" + images.size()).orFail().output();
    return parse(output.lines().toList());
  }

  private static List<Seen> parse(List<String> lines) {
    List<Seen> all = new ArrayList<>();
    for (int i = 0; i < lines.size(); ) {
      String line = lines.get(i++);
      if (line.startsWith("REFUSED\t")) {
        all.add(new Seen(Optional.empty(), line.substring(8)));
        continue;
      }
      int from = i;
      while (i < lines.size()
          && !lines.get(i).equals("FILE")
          && !lines.get(i).startsWith("REFUSED\t")) {
        i++;
      }
      all.add(new Seen(Optional.of(State.parse(lines.subList(from, i))), ""));
    }
    return all;
  }
}
