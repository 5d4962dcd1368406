/**
 * Reads a configuration file as a tree whose parts know their line and column, and refuses what is
 * not asked for. YAML 1.2 is read, of which JSON is a part.
 */
package org.hyperslab.plugins.configured.document;
