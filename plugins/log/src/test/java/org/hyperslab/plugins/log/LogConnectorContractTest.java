package org.hyperslab.plugins.log;

import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.testkit.contract.ConnectorContract;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;
import org.hyperslab.vol.Connector;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the contract on the connector over native. */
@ExtendWith(ConnectorContract.SampledCases.class)
final class LogConnectorContractTest extends ConnectorContract {

  @Override
  protected ConnectorFixture fixture() {
    return new LogFixture("drain=close");
  }

  /** A folder for files, and another one for logs. */
  record LogFixture(TemporaryFolder logs, FileFixture files) implements ConnectorFixture {

    LogFixture(String options) {
      this(TemporaryFolder.create("logs"), options);
    }

    private LogFixture(TemporaryFolder logs, String options) {
      this(logs, FileFixture.of("log path=" + logs.path() + " " + options + " | native"));
    }

    @Override
    public Connector connect() {
      return files.connect();
    }

    @Override
    public String fileName(String base) {
      return files.fileName(base);
    }

    @Override
    public Optional<Path> path(String name) {
      return files.path(name);
    }

    @Override
    public void close() {
      files.close();
      logs.close();
    }
  }
}
