/**
 * Raw data that a server accesses in a file whose home is another server: it reads and writes its
 * stripes of a dataset directly in the shared file.
 */
package org.hyperslab.plugins.forwarding.region;
