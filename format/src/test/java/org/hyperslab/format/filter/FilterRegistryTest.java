package org.hyperslab.format.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.filter.library.DeflateFilter;
import org.hyperslab.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterRegistryTest {

  @Test
  void holdsTheBuiltInFilters() {
    assertThat(FilterRegistry.standard().ids())
        .contains(1, 2, 3, 4, 5, 6, 307, 32000, 32001, 32004, 32008, 32015);
  }

  @Test
  void firstFilterOfANumberWins() {
    Filter first = new DeflateFilter();
    assertThat(FilterRegistry.of(List.of(first, new DeflateFilter())).find(1)).containsSame(first);
    assertThat(FilterRegistry.of(List.of()).find(1)).isEmpty();
  }

  /** A class loader's resource names a provider that does not exist, in a program of its own. */
  @Test
  void aProviderThatCannotBeLoadedIsNamedWhereAFilterIsMissing(@TempDir Path folder)
      throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(FilterProvider.class.getName()), "org.example.Absent\n");
    List<String> command = ChildJvm.command(64, FilterRegistryTest.class);
    int path = command.indexOf("-cp") + 1;
    command.set(path, folder + File.pathSeparator + command.get(path));
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(child.getInputStream().readAllBytes());
    assertThat(child.waitFor()).as(said).isZero();
    assertThat(said).contains("deflate").contains("filter 32024 (SZ3)", "org.example.Absent");
  }

  /** In the child: looks for a filter that is there, and uses one that is not. */
  public static void main(String[] arguments) {
    System.out.println(FilterRegistry.standard().nameOf(1));
    byte[] chunk = new byte[8];
    try (FilterScratch scratch = new FilterScratch()) {
      FilterPipeline.of(List.of(FilterStage.mandatory(32_024)))
          .encode(MemorySegment.ofArray(chunk), scratch);
    } catch (UnsupportedFeatureException missing) {
      System.out.println(missing.getMessage());
    }
  }
}
