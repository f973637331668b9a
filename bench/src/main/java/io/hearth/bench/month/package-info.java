/** What Hearth takes of an HMaster in a month: a cluster on simulated time, what each kind of work costs there, and their sum. */
@NullMarked
package io.hearth.bench.month;

import org.jspecify.annotations.NullMarked;
