package org.hyperslab.plugins.nativevol;

import java.nio.file.Path;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Creates, reads, lists and deletes many objects, and closes none of them. */
final class ManyObjectsProgram {

  private static final int OF_A_GROUP = 1000;

  private ManyObjectsProgram() {}

  /**
   * Runs the program.
   *
   * @param arguments the file to create, and the number of datasets
   */
  public static void main(String[] arguments) {
    Path path = Path.of(arguments[0]);
    int objects = Integer.parseInt(arguments[1]);
    try (H5File file = Hdf5.create(path)) {
      for (int i = 0; i < objects; i++) {
        if (i % OF_A_GROUP == 0) {
          file.createGroup(group(i));
        }
        file.createDataset(name(i), i);
      }
    }
    try (H5File file = Hdf5.open(path)) {
      int right = 0;
      for (int i = 0; i < objects; i++) {
        right += file.dataset(name(i)).readInt() == i ? 1 : 0;
      }
      System.out.println("read " + right);
    }
    try (H5File file = Hdf5.openForEdit(path)) {
      int deleted = 0;
      for (int i = 0; i < objects; i += OF_A_GROUP) {
        for (String name : file.group(group(i)).names()) {
          file.delete(group(i) + "/" + name);
          deleted++;
        }
      }
      System.out.println("deleted " + deleted);
    }
  }

  private static String group(int i) {
    return "g" + i / OF_A_GROUP;
  }

  private static String name(int i) {
    return group(i) + "/d" + i;
  }
}
