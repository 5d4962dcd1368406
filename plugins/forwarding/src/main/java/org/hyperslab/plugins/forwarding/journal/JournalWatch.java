package org.hyperslab.plugins.forwarding.journal;

/**
 * Is told what becomes of the journals of a server's files, for the operator. Each is named by the
 * name of the journal, which exists also if the journal has lost the name of its file.
 *
 * <p>Thread rule: called by any thread; must not wait.
 */
public interface JournalWatch {

  /** Ignores everything, for a replay whose result the caller prints. */
  JournalWatch NONE =
      new JournalWatch() {
        @Override
        public void replayed(String journal, String report) {}

        @Override
        public void notReplayed(String journal, String reason) {}

        @Override
        public void missing(String journal, String reason) {}

        @Override
        public void served(String journal) {}
      };

  /**
   * A journal was replayed, or was of no use.
   *
   * @param journal the name of the journal
   * @param report a line for people
   */
  void replayed(String journal, String report);

  /**
   * A journal was not replayed, because it is damaged or not authentic, because its file is
   * missing, or because that was not possible now. The file is not served before it is replayed.
   *
   * @param journal the name of the journal
   * @param reason a line for people
   */
  void notReplayed(String journal, String reason);

  /**
   * A file was not served, because its journal is missing.
   *
   * @param journal the name of the journal
   * @param reason a line for people
   */
  void missing(String journal, String reason);

  /**
   * A file was opened, or was created again or deleted: nothing is withheld any more.
   *
   * @param journal the name of the journal that it has or would have
   */
  void served(String journal);
}
