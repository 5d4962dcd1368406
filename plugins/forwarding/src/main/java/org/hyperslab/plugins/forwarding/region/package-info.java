/**
 * Raw data of files whose home is another server: each server reads and writes its stripes of a
 * dataset directly in the shared file.
 */
package org.hyperslab.plugins.forwarding.region;
