/**
 * Carries on-disk structures to the file without knowing who caches, journals or allocates it: the
 * contract between the structures of the format and the engine that runs them.
 */
package org.hyperslab.format.metadata;
