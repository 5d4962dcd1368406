package org.hyperslab.plugins.forwarding.world;

import java.util.List;
import java.util.Set;

/**
 * A fault that is put into the engine to see that histories find it: a place in a source file, and
 * what stands there instead.
 *
 * @param name what is wrong
 * @param file the source file, below the folder of the project
 * @param from the text that is replaced, which stands there once
 * @param to the text instead of it
 */
record Mutant(String name, String file, String from, String to) {

  /** The faults that histories do not find: an engine is as good without, or histories too few. */
  static final Set<String> UNSEEN =
      Set.of(
          "open objects are not recorded when a journal begins",
          "operations on a file with a journal do not run alone",
          "an operation that runs alone does not keep others off",
          "a replay repeats what is marked",
          "a request is carried out before the one before it is over",
          "a session that ends does not wait for its requests",
          "all requests are sent again after a lost connection",
          "a failure that nobody saw is dropped",
          "the window is not freed by replies",
          "a failing merged write is acknowledged",
          "a call that has ended starts nothing",
          "closing is silent about a flush that has failed",
          "the journal of a flush is not forced before it is marked",
          "the mark of a flush's journal is not forced",
          "new blocks are not forced before the superblock");

  private static final String FORWARDING =
      "plugins/forwarding/src/main/java/org/hyperslab/plugins/forwarding/";
  private static final String COMPACTING =
      "plugins/compacting/src/main/java/org/hyperslab/plugins/compacting/queue/";
  private static final String NATIVE =
      "plugins/native/src/main/java/org/hyperslab/plugins/nativevol/";
  private static final String STORE = "format/src/main/java/org/hyperslab/format/store/";

  private static Mutant journal(String name, String file, String from, String to) {
    return new Mutant(name, FORWARDING + "journal/" + file + ".java", from, to);
  }

  private static Mutant server(String name, String file, String from, String to) {
    return new Mutant(name, FORWARDING + "server/" + file + ".java", from, to);
  }

  private static Mutant client(String name, String file, String from, String to) {
    return new Mutant(name, FORWARDING + "client/" + file + ".java", from, to);
  }

  private static Mutant compactor(String name, String file, String from, String to) {
    return new Mutant(name, COMPACTING + file + ".java", from, to);
  }

  private static Mutant engine(String name, String file, String from, String to) {
    return new Mutant(name, NATIVE + file + ".java", from, to);
  }

  /** {@return all faults} */
  static List<Mutant> all() {
    return List.of(
        journal(
            "a group is acknowledged without a force",
            "JournalFile",
            "        channel.force(false);\n",
            ""),
        journal(
            "the first records are not forced",
            "JournalFile",
            "      writePromised(channel, nonce, size);\n      channel.force(true);\n",
            "      writePromised(channel, nonce, size);\n"),
        journal(
            "the name of a journal is not forced",
            "JournalFile",
            "      DurableFile.rename(fresh, path);\n",
            "      Files.move(fresh, path);\n"),
        journal(
            "an edit is acknowledged before its record is on storage",
            "FileJournal",
            "underway.with(underway.result().thenCombine(into.commit(), (result, done) -> result))",
            "underway"),
        journal(
            "an edit of metadata is not marked",
            "FileJournal",
            "steps.always(stage, (result, failure) -> steps.then(mark(connector), marked -> stage))",
            "stage"),
        journal(
            "a refused operation is not recorded",
            "FileJournal",
            "into.note(JournalRecord.of(JournalRecord.Kind.REFUSED, sequence, number, 0));",
            "return;"),
        journal(
            "open objects are not recorded when a journal begins",
            "FileJournal",
            "    for (Map.Entry<Handle, Long> open : book.objects().entrySet()) {",
            "    for (Map.Entry<Handle, Long> open : Map.<Handle, Long>of().entrySet()) {"),
        journal(
            "a journal is deleted though the last flush has failed",
            "FileJournal",
            "if (Steps.failureOf(unmarked) == null && failure == null) {",
            "if (true) {"),
        journal(
            "a durable creation is not flushed",
            "JournalingConnector",
            "if (!request.durable() || book.journal() != null) {",
            "if (true) {"),
        journal(
            "operations on a file with a journal do not run alone",
            "JournalingConnector",
            "        || isRecorded && book.journal() != null;",
            "        ;"),
        journal(
            "the end of an operation starts nothing",
            "FileOrder",
            "      alone &= !entry.runsAlone;\n      wakes = wakes();",
            "      alone &= !entry.runsAlone;\n      wakes = false;"),
        journal(
            "an operation that runs alone does not keep others off",
            "FileOrder",
            "    alone = entry.runsAlone;\n",
            ""),
        journal(
            "a replay repeats what is marked",
            "Recovery",
            "if (record.sequence() > marker && !refusedBefore",
            "if (!refusedBefore"),
        journal(
            "a replay skips an edit",
            "Recovery",
            "if (record.sequence() > marker && !refusedBefore",
            "if (record.sequence() > marker + 1 && !refusedBefore"),
        journal(
            "new folders are not forced",
            "DurableFolders",
            "      DurableFile.force(made.getParent());\n",
            ""),
        server(
            "every edit is acknowledged when it is received",
            "ClientSession",
            "if (Acknowledge.of(frame.flags()) == Acknowledge.RECEIVED) {",
            "if (Acknowledge.of(frame.flags()) != Acknowledge.APPLIED) {"),
        server("grants are not returned", "MemoryGrants", "    granted -= bytes;\n", ""),
        server(
            "kept replies are not sent again",
            "ClientSession",
            "      replies.sending(reply);\n      send(to, reply);\n",
            ""),
        server(
            "a request is carried out before the one before it is over",
            "ClientSession",
            "    if (over.toCompletableFuture().isDone()) {\n      return false;\n    }\n"
                + "    over.thenRun",
            "    if (over != null) {\n      return false;\n    }\n    over.thenRun"),
        server(
            "a session that ends does not wait for its requests",
            "ClientSession",
            "      Uninterrupted.await(this, () -> !requests.isIdle());\n",
            ""),
        client(
            "requests are not sent again after a lost connection",
            "ServerLink",
            "      window.forEachBehind(welcome.received(), this::transmit);\n",
            ""),
        client(
            "all requests are sent again after a lost connection",
            "ServerLink",
            "window.forEachBehind(welcome.received(), this::transmit);",
            "window.forEachBehind(0, this::transmit);"),
        client(
            "a lost connection is not replaced",
            "ServerLink",
            "      connection = null;\n    }\n    completer.execute(this::reconnect);\n  }\n\n"
                + "  private void reconnect",
            "      connection = null;\n    }\n  }\n\n  private void reconnect"),
        client(
            "a failure that nobody saw is dropped",
            "ReplyDelivery",
            "    if (!request.givenUp) {",
            "    if (false) {"),
        client(
            "the window is not freed by replies",
            "RequestWindow",
            "    usedBytes -= request.bytes;\n    unacknowledged",
            "    unacknowledged"),
        compactor(
            "later requests pass a barrier",
            "Barrier",
            "if (started || !complete || arrived.size() < expected) {",
            "if (started || !complete) {"),
        compactor(
            "a failing merged write is acknowledged",
            "BatchRun",
            "    for (RawRequest source : call.sources()) {\n"
                + "      PendingTransfer request = requests.get(source);\n"
                + "      reply(request, request.trace, failure);",
            "    for (RawRequest source : call.sources()) {\n"
                + "      PendingTransfer request = requests.get(source);\n"
                + "      reply(request, request.trace, null);"),
        compactor(
            "a call that has ended starts nothing",
            "BatchRun",
            "    if (outstanding.decrementAndGet() == 0) {",
            "    if (outstanding.decrementAndGet() < 0) {"),
        engine(
            "closing does not flush while others have the file open",
            "HandleBinder",
            "      flushForOthers(object);\n",
            ""),
        engine(
            "closing is silent about a flush that has failed",
            "file/NativeFile",
            "        if (losesEdits || (broken != null && committer.rawWaits())) {\n",
            "        if (false) {\n"),
        engine(
            "the journal of a flush is not forced before it is marked",
            "file/Committer",
            "      writeJournal(superblock, overwritten, journalAt);\n      force();\n",
            "      writeJournal(superblock, overwritten, journalAt);\n"),
        engine(
            "the mark of a flush's journal is not forced",
            "file/Committer",
            "    writeHead(() -> Journal.mark(store, baseAddress, at));\n    force(false);\n",
            "    writeHead(() -> Journal.mark(store, baseAddress, at));\n"),
        engine(
            "new blocks are not forced before the superblock",
            "file/Committer",
            "      force();\n      MemorySegment bytes = encoded(superblock);",
            "      MemorySegment bytes = encoded(superblock);"),
        new Mutant(
            "the name of a new file is not forced",
            STORE + "FileStore.java",
            "    file.forceName();\n",
            ""));
  }
}
