// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Finds processes and ends them, by what {@code /proc} says of them. A {@link ProcessId} whose number has another owner by
 * now is treated as ended, and that owner is left alone. Thread-safe.
 */
public final class ProcessTable {

    /** Whether a process runs, is stopped (SIGSTOP), or has ended. */
    public enum ProcessState {
        RUNNING,
        STOPPED,
        ENDED
    }

    /** What can be sent to a process. */
    public enum Signal {
        KILL,
        TERM,
        STOP,
        CONT
    }

    private static final long POLL_MS = 20;

    private final Path proc;
    private final String bootId;

    /** @param proc the folder {@code /proc}, or one that looks like it */
    public ProcessTable(Path proc) throws IOException {
        this.proc = proc;
        this.bootId =
                Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
    }

    /** The identity of the process that has this number now; absent if there is none. */
    public Optional<ProcessId> identify(long pid) {
        return stat(pid).filter(stat -> !stat.hasEnded()).map(stat -> new ProcessId(pid, stat.startTicks(), bootId));
    }

    public ProcessState processState(ProcessId process) {
        if (!process.bootId().equals(bootId)) {
            return ProcessState.ENDED;
        }
        return stat(process.pid())
                .filter(stat -> stat.startTicks() == process.startTicks() && !stat.hasEnded())
                .map(stat -> stat.isStopped() ? ProcessState.STOPPED : ProcessState.RUNNING)
                .orElse(ProcessState.ENDED);
    }

    /** Sends a signal to it and to nobody else; nothing if it has ended. */
    public void send(Signal signal, ProcessId process) throws IOException, InterruptedException {
        if (processState(process) != ProcessState.ENDED) {
            SystemCommand.tryRun("kill", "-" + signal.name(), Long.toString(process.pid()));
        }
    }

    /**
     * Kills them and waits until the last has ended.
     *
     * @throws IOException if one of them is there after the limit
     */
    public void killAll(Collection<ProcessId> processes, Duration limit) throws IOException, InterruptedException {
        for (ProcessId process : processes) {
            send(Signal.KILL, process);
        }
        long waitedMs = 0;
        for (ProcessId process : processes) {
            while (processState(process) != ProcessState.ENDED) {
                if (waitedMs > limit.toMillis()) {
                    throw new IOException("Process " + process.pid() + " is there " + limit.toSeconds()
                            + " s after kill -KILL; end it yourself");
                }
                Thread.sleep(POLL_MS);
                waitedMs += POLL_MS;
            }
        }
    }

    private Optional<ProcessStat> stat(long pid) {
        try {
            return Optional.of(ProcessStat.parse(Files.readString(proc.resolve(pid + "/stat"))));
        } catch (IOException | IllegalArgumentException e) {
            // It has ended, maybe while it was read.
            return Optional.empty();
        }
    }

    /**
     * What Linux says of a process in {@code /proc/PID/stat}.
     *
     * @param state {@code R} runs, {@code S} and {@code D} wait, {@code T} is stopped, {@code Z} has ended
     * @param startTicks when it was started, in clock ticks since the machine was
     */
    record ProcessStat(char state, long startTicks) {

        private static final int STATE = 0;
        private static final int START_TICKS = 19;

        /**
         * Reads the line.
         *
         * @throws IllegalArgumentException if it is none
         */
        static ProcessStat parse(String line) {
            // The name of the command is in parentheses, and may itself hold blanks and parentheses.
            int endOfName = line.lastIndexOf(')');
            List<String> rest = List.of(line.substring(endOfName + 1).strip().split(" "));
            if (endOfName < 0 || rest.size() <= START_TICKS) {
                throw new IllegalArgumentException("This is no line of /proc/PID/stat: " + line.strip());
            }
            return new ProcessStat(rest.get(STATE).charAt(0), Long.parseLong(rest.get(START_TICKS)));
        }

        boolean hasEnded() {
            return state == 'Z' || state == 'X';
        }

        boolean isStopped() {
            return state == 'T' || state == 't';
        }
    }

    /**
     * One process and no other, also after its number was given to another: a number is used again, but not by a process that
     * started at the same tick of the same run of the machine.
     *
     * @param pid its number
     * @param startTicks when it was started, in clock ticks since the machine was
     * @param bootId which run of the machine that was: {@code /proc/sys/kernel/random/boot_id}
     */
    public record ProcessId(long pid, long startTicks, String bootId) {}
}
