package org.hyperslab.plugins.configured;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Read;
import org.hyperslab.vol.DatasetOperation.ReadMulti;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.DatasetOperation.Write;
import org.hyperslab.vol.DatasetOperation.WriteMulti;

/**
 * Properties that a configuration file gives to transfers of a dataset.
 *
 * @param usual those that hold where the program has none of the name
 * @param forced those that hold always
 */
record TransferChoice(Map<String, String> usual, Map<String, String> forced) {

  static final TransferChoice NONE = new TransferChoice(Map.of(), Map.of());

  private static final String COLLECTIVE = "collective";

  TransferChoice {
    usual = Map.copyOf(usual);
    forced = Map.copyOf(forced);
  }

  boolean isNone() {
    return usual.isEmpty() && forced.isEmpty();
  }

  /** Returns the options of a transfer with these properties. */
  TransferOptions applyTo(TransferOptions program) {
    Map<String, String> properties = new LinkedHashMap<>(usual);
    properties.putAll(program.properties());
    properties.putAll(forced);
    String collective = properties.remove(COLLECTIVE);
    boolean isAsked = program.collective() && !forced.containsKey(COLLECTIVE);
    return TransferOptions.builder()
        .properties(properties)
        .collective(isAsked || Boolean.parseBoolean(collective))
        .build();
  }

  Read applyTo(Read read) {
    return isNone() ? read : new Read(read.dataset(), applyTo(read.transfer()), read.target());
  }

  Write applyTo(Write write) {
    return isNone() ? write : new Write(write.dataset(), applyTo(write.transfer()), write.source());
  }

  /** Returns a transfer of several datasets, whose parts share their options. */
  ReadMulti applyTo(ReadMulti multi) {
    return isNone() ? multi : new ReadMulti(multi.parts().stream().map(this::applyTo).toList());
  }

  /** Returns a transfer of several datasets, whose parts share their options. */
  WriteMulti applyTo(WriteMulti multi) {
    return isNone() ? multi : new WriteMulti(multi.parts().stream().map(this::applyTo).toList());
  }

  private Transfer applyTo(Transfer transfer) {
    return new Transfer(
        transfer.memoryType(),
        transfer.memorySpace(),
        transfer.memorySelection(),
        transfer.fileSelection(),
        applyTo(transfer.options()));
  }
}
