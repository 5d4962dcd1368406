/** What a compactor reports: how it handled each request, and its counters. */
package org.hyperslab.plugins.compacting.report;
