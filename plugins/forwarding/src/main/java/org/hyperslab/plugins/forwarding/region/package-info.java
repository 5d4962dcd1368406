/**
 * Raw data of files that have their home at another server: each server has a part of a dataset's
 * regions, and moves its bytes straight from and to the file that all of them see.
 */
package org.hyperslab.plugins.forwarding.region;
