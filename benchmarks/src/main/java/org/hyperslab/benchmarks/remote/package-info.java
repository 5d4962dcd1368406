/** What reading from far away takes: {@code benchmarks/remote/remote.py} runs it. */
package org.hyperslab.benchmarks.remote;
