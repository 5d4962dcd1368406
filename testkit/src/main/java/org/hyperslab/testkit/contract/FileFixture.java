package org.hyperslab.testkit.contract;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/** A fixture for connectors whose files are paths on this machine: a folder for each test. */
public final class FileFixture implements ConnectorFixture {

  private final TemporaryFolder folder = TemporaryFolder.create("contract");
  private final Supplier<Connector> maker;
  private final boolean visible;

  /**
   * Creates a fixture.
   *
   * @param maker makes the connectors
   */
  public FileFixture(Supplier<Connector> maker) {
    this(maker, true);
  }

  private FileFixture(Supplier<Connector> maker, boolean visible) {
    this.maker = maker;
    this.visible = visible;
  }

  /**
   * Creates a fixture for a stack that keeps files in memory, where no other program sees them.
   *
   * @param configuration the stack
   * @return the fixture
   */
  public static FileFixture inMemory(String configuration) {
    return new FileFixture(() -> Connectors.create(configuration), false);
  }

  /**
   * Creates a fixture for a stack such as {@code "tracing | native"}.
   *
   * @param configuration the stack
   * @return the fixture
   */
  public static FileFixture of(String configuration) {
    return new FileFixture(() -> Connectors.create(configuration));
  }

  @Override
  public Connector connect() {
    return maker.get();
  }

  @Override
  public String fileName(String base) {
    return folder.file(base).toString();
  }

  @Override
  public Optional<Path> path(String name) {
    return visible ? Optional.of(Path.of(name)) : Optional.empty();
  }

  /** {@return the folder of the files} */
  public Path path() {
    return folder.path();
  }

  @Override
  public void close() {
    folder.close();
  }
}
