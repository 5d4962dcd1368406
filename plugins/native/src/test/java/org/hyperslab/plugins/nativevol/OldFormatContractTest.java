package org.hyperslab.plugins.nativevol;

import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.contract.ConnectorFixture;
import org.hyperslab.testkit.contract.FileFixture;
import org.hyperslab.testkit.contract.GroupContract;
import org.hyperslab.testkit.contract.LinkContract;
import org.hyperslab.testkit.contract.ListingContract;
import org.hyperslab.vol.Connector;
import org.junit.jupiter.api.Nested;

/**
 * Runs the contract of groups and links on files of the oldest form: superblock 0, headers of
 * version 1, symbol tables.
 */
final class OldFormatContractTest {

  @Nested
  final class Groups extends GroupContract {
    @Override
    protected ConnectorFixture fixture() {
      return new OldFiles();
    }
  }

  @Nested
  final class Links extends LinkContract {
    @Override
    protected ConnectorFixture fixture() {
      return new OldFiles();
    }
  }

  @Nested
  final class Listings extends ListingContract {
    @Override
    protected ConnectorFixture fixture() {
      return new OldFiles();
    }
  }

  private static final class OldFiles implements ConnectorFixture {
    private final FileFixture files = FileFixture.of("native");

    @Override
    public Connector connect() {
      return files.connect();
    }

    @Override
    public String fileName(String base) {
      return files.fileName(base);
    }

    @Override
    public CreateOptions createOptions() {
      return CreateOptions.DEFAULT.withAccess(
          OpenOptions.EDIT
              .withDurability(Durability.PROCESS)
              .withBounds(FormatVersion.EARLIEST, FormatVersion.LATEST));
    }

    @Override
    public void close() {
      files.close();
    }
  }
}
