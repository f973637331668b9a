// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.common.log.PrintableName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The leases under which SLO watches have healing and balancing rest. A lease ends by itself, so a watch that has died brakes nothing;
 * both rest while any lease is in force. A master knows only the leases that it has granted itself. Thread-safe; all times are of a
 * clock that does not go back, in milliseconds.
 */
public final class BrakeLeases {

    /** How long a lease may be, in seconds. */
    public static final int MAX_LEASE_SECONDS = 60;

    /** So many instances may have a lease at a time. */
    static final int MAX_INSTANCES = 16;

    static final int MAX_INSTANCE_CHARACTERS = 100;

    /** A longer reason is cut. */
    static final int MAX_REASON_CHARACTERS = 200;

    private static final long SECOND_MS = 1_000;

    private final Map<String, Lease> leaseByInstance = new TreeMap<>();

    private record Lease(String reason, long grantedMs, long leaseMs) {

        boolean isInForce(long nowMs) {
            return nowMs - grantedMs < leaseMs;
        }
    }

    /** Says why a lease can't be granted, for who asked. */
    public static final class RefusedLeaseException extends Exception {

        private static final long serialVersionUID = 1;

        private RefusedLeaseException(String message) {
            super(message);
        }
    }

    /**
     * Brakes for so long from now on, in the place of this instance's lease before; 0 seconds end that.
     *
     * @param instance the name of a watch; two of them need two names
     * @param reason why, as an operator reads it
     */
    public synchronized void renew(String instance, String reason, long leaseSeconds, long nowMs)
            throws RefusedLeaseException {
        if (instance.isBlank() || instance.length() > MAX_INSTANCE_CHARACTERS) {
            throw new RefusedLeaseException("instance must have 1 to " + MAX_INSTANCE_CHARACTERS
                    + " characters, the name of the watch that asks.");
        }
        if (leaseSeconds < 0 || leaseSeconds > MAX_LEASE_SECONDS) {
            throw new RefusedLeaseException("leaseSeconds must be 0 to " + MAX_LEASE_SECONDS + " and is " + leaseSeconds
                    + ". Renew the lease before it ends.");
        }
        forgetOver(nowMs);
        String name = PrintableName.of(instance);
        if (leaseSeconds == 0) {
            leaseByInstance.remove(name);
            return;
        }
        if (!leaseByInstance.containsKey(name) && leaseByInstance.size() >= MAX_INSTANCES) {
            throw new RefusedLeaseException(
                    "There are " + MAX_INSTANCES + " leases of other instances in force: " + instances() + ".");
        }
        leaseByInstance.put(name, new Lease(shortened(PrintableName.of(reason)), nowMs, leaseSeconds * SECOND_MS));
    }

    /** Who brakes and why, as the end of a sentence; empty where no lease is in force. */
    public synchronized Optional<String> inForce(long nowMs) {
        forgetOver(nowMs);
        return leaseByInstance.isEmpty()
                ? Optional.empty()
                : Optional.of(leaseByInstance.entrySet().stream()
                        .map(entry -> entry.getKey() + " (" + entry.getValue().reason + ")")
                        .collect(Collectors.joining(" and ", "the SLO watch brakes: ", "")));
    }

    private void forgetOver(long nowMs) {
        leaseByInstance.values().removeIf(lease -> !lease.isInForce(nowMs));
    }

    private String instances() {
        return String.join(", ", leaseByInstance.keySet());
    }

    private static String shortened(String reason) {
        if (reason.isBlank()) {
            return "no reason given";
        }
        return reason.length() <= MAX_REASON_CHARACTERS ? reason : reason.substring(0, MAX_REASON_CHARACTERS) + "...";
    }
}
