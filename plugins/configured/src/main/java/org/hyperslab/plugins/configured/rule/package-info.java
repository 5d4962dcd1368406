/**
 * What a configuration file chooses, as values: patterns of files and objects, and for each the
 * settings that it makes. Nothing here performs I/O or knows operations.
 */
package org.hyperslab.plugins.configured.rule;
