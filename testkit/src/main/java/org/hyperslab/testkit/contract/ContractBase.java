package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Provides a connector, a session and a new file for each test. */
abstract class ContractBase {

  private ConnectorFixture fixture;
  private Connector connector;
  private Session session;
  private String name;
  private H5File file;

  ContractBase() {}

  /** {@return the fixture, which makes the connector and its files} */
  protected abstract ConnectorFixture fixture();

  @BeforeEach
  final void createFile() {
    fixture = fixture();
    connector = fixture.connect();
    session = Hdf5.session(connector);
    name = fixture.fileName("contract.h5");
    requires(Capability.READ, Capability.WRITE);
    file = session.create(name, fixture.createOptions());
  }

  @AfterEach
  final void closeAll() {
    try {
      if (file != null) {
        file.close();
      }
    } finally {
      session.close();
      try {
        connector.close();
      } finally {
        fixture.close();
      }
    }
  }

  /** Skips the test unless the connector has all the capabilities. */
  final void requires(Capability... capabilities) {
    for (Capability capability : capabilities) {
      assumeTrue(
          session.can(capability),
          () -> "connector " + connector.name() + " has no capability " + capability);
    }
  }

  final H5File file() {
    return file;
  }

  final Session session() {
    return session;
  }

  final Connector connector() {
    return connector;
  }

  final String fileName() {
    return name;
  }

  /** Returns a name for one more file of the test. */
  final String otherName(String base) {
    return fixture.fileName(base);
  }

  final CreateOptions createOptions() {
    return fixture.createOptions();
  }

  /** Returns the path of a file of the test, if other programs can read it. */
  final Optional<Path> pathOf(String fileName) {
    return fixture.path(fileName);
  }

  /** Creates another file. */
  final H5File createOther(String base) {
    return session.create(otherName(base), createOptions());
  }

  /** Replaces the test's file by one created with other options. */
  final H5File recreate(CreateOptions options) {
    file.close();
    file = session.create(name, options);
    return file;
  }

  /** Closes the file and opens it for reading. */
  final H5File reopen() {
    file.close();
    file = session.open(name, OpenOptions.READ);
    return file;
  }

  /** Closes the file and opens it for editing. */
  final H5File reopenForEdit() {
    file.close();
    file = session.open(name, createOptions().access());
    return file;
  }

  /** Checks the file while it is open, and again after it was closed and reopened. */
  final void inBothLives(Consumer<H5File> check) {
    check.accept(file);
    check.accept(reopen());
  }

  /** Expects a failure of a class whose message contains all the parts, ignoring case. */
  static void fails(
      Class<? extends HyperslabException> type, Runnable call, String... messageParts) {
    AbstractThrowableAssert<?, ?> failure =
        assertThat(catchThrowable(call::run)).isInstanceOf(type);
    for (String part : messageParts) {
      failure.satisfies(e -> assertThat(e.getMessage()).containsIgnoringCase(part));
    }
  }
}
