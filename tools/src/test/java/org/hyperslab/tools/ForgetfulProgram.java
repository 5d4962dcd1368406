package org.hyperslab.tools;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;

/** A program that closes no file, and ends in the way that its first argument says. */
final class ForgetfulProgram {

  static final int COUNT = 100_000;

  private ForgetfulProgram() {}

  /** Runs with a way to end, a connector and the name of a file. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String connector = arguments[1];
    String name = arguments[2];
    switch (arguments[0]) {
      case "main" -> written(connector, name);
      case "edit" -> edited(connector, name);
      case "exit" -> {
        written(connector, name);
        System.exit(3);
      }
      case "throw" -> {
        written(connector, name);
        throw new IllegalStateException("thrown by main");
      }
      case "signal" -> {
        H5File file = written(connector, name);
        System.out.println("written");
        System.in.read();
        file.close();
      }
      case "hook" -> hooked(connector, name);
      case "busy" -> busy(connector, name);
      case "stuck" -> Hdf5.session(new Stuck(Connectors.create(connector))).create(name);
      case "lost" -> lost(connector, name);
      case "lost-during" -> lostDuring(connector, name);
      case "session" -> sessionClosed(connector, name);
      case "memory" -> Hdf5.createInMemory().createDataset("x", new int[10]);
      case "read" -> {
        written(connector, name).close();
        Hdf5.session(connector).open(name).dataset("x");
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static H5File written(String connector, String name) {
    H5File file = Hdf5.session(connector).create(name);
    Dataset x = file.createDataset("x", double.class, COUNT);
    x.writeAsync(values(1));
    file.root().setAttribute("k", 7);
    return file;
  }

  private static double[] values(double factor) {
    double[] values = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      values[i] = factor * i;
    }
    return values;
  }

  private static void edited(String connector, String name) {
    Session session = Hdf5.session(connector);
    try (H5File file = session.create(name)) {
      file.createDataset("x", double.class, COUNT);
    }
    H5File file = session.openForEdit(name);
    file.dataset("x").write(values(1));
    file.createDataset("y", values(2));
    file.root().setAttribute("k", 7);
  }

  /** The program's own hook computes for a while, appends and closes. */
  private static void hooked(String connector, String name) {
    H5File file = written(connector, name);
    Dataset log =
        file.datasetBuilder("log").type(int.class).shape(0).maxShape(Hdf5.UNLIMITED).create();
    Thread last =
        new Thread(() -> {
          for (int i = 0; i < 500; i++) {
            log.append(i);
          }
          file.close();
          System.out.println("closed by the program");
        });
    Runtime.getRuntime().addShutdownHook(last);
  }

  private static void busy(String connector, String name) throws InterruptedException {
    H5File file = written(connector, name);
    Dataset x = file.dataset("x");
    CountDownLatch begun = new CountDownLatch(1);
    Thread writer =
        new Thread(() -> {
          while (true) {
            x.write(values(1));
            begun.countDown();
          }
        });
    writer.setDaemon(true);
    writer.start();
    begun.await();
  }

  /** Replaces a file whose former openings cannot be reached any more. */
  private static void lost(String connector, String name) {
    Session session = Hdf5.session(connector);
    written(session, name, 0);
    for (int replaced = 1; replaced < 3; ) {
      System.gc();
      try {
        written(session, name, replaced);
        replaced++;
      } catch (StorageException | InvalidUseException stillOpen) {
        System.gc();
      }
    }
    System.out.println("replaced");
  }

  private static void written(Session session, String name, int value) {
    session.create(name).createDataset("x", new int[] {value});
  }

  /** Collects garbage while the only thing that remains of a file is a transfer under way. */
  private static void lostDuring(String connector, String name) {
    try (Session session = Hdf5.session(connector)) {
      CompletableFuture<?>[] writes = new CompletableFuture<?>[20];
      H5File file = session.create(name);
      for (int i = 0; i < writes.length; i++) {
        writes[i] = file.createDataset("x" + i, double.class, COUNT).writeAsync(values(i));
      }
      file = null;
      for (CompletableFuture<?> write : writes) {
        System.gc();
        write.join();
      }
    }
    System.out.println("joined");
  }

  private static void sessionClosed(String connector, String name) {
    try (Session session = Hdf5.session(connector)) {
      session.create(name).createDataset("x", values(1));
    }
  }

  /** Never closes a file. */
  private static final class Stuck extends PassThroughConnector {

    Stuck(Connector below) {
      super("stuck", below);
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      return operation instanceof FileOperation.Close
          ? new CompletableFuture<>()
          : super.submit(operation);
    }
  }
}
