/** Measures remote reads; {@code benchmarks/remote/remote.py} runs it. */
package org.hyperslab.benchmarks.remote;
