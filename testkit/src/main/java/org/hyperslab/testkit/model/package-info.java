/**
 * Protocols as values: their states, their steps, what they promise, and a search through all
 * states.
 */
package org.hyperslab.testkit.model;
