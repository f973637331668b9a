// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.console.DemoConsole;

/**
 * Waits until the clients' load is what it is meant to be: answered as fast as it is sent, with nothing left waiting. A JVM
 * that is still warming up, regions on their way and a busy machine all make heat that is nobody's.
 */
final class SteadyState {
    private static final long MOST_WAIT_MS = 60_000;
    private static final long POLL_MS = 1_000;
    private static final int STEADY_LOOKS = 5;
    private static final double TOLERANCE = 0.1;

    private SteadyState() {}

    /** Returns when the load was steady for {@value #STEADY_LOOKS} looks in a row, or says so when it never was. */
    static void await(ClientLoad load, DemoConsole console) throws InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        int steady = 0;
        while (steady < STEADY_LOOKS) {
            if (stopwatch.elapsedMs() > MOST_WAIT_MS) {
                console.print(
                        "   the machine is too busy: the clients' requests are not answered as fast as they are sent");
                return;
            }
            steady = isSteady(load) ? steady + 1 : 0;
        }
    }

    private static boolean isSteady(ClientLoad load) throws InterruptedException {
        long perSecond = (long) ClientLoad.READS_PER_SECOND + ClientLoad.WRITES_PER_SECOND;
        Stopwatch stopwatch = new Stopwatch();
        long before = load.answered();
        Thread.sleep(POLL_MS);
        double due = perSecond * stopwatch.elapsedMs() / 1000.0;
        double answered = load.answered() - before;
        return load.unanswered() < perSecond * TOLERANCE && Math.abs(answered - due) < due * TOLERANCE;
    }
}
