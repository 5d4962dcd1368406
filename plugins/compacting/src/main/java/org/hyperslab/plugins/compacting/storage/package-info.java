/** Carries out what was planned through a connector, and packs the elements of requests. */
package org.hyperslab.plugins.compacting.storage;
