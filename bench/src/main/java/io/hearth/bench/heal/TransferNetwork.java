// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Transfers that share links on simulated time. Not thread-safe.
 *
 * <p><b>Goals.</b> A link's transfers share it fairly, and what one of them can't use the others get: max-min fairness.
 *
 * <p><b>Constraints.</b> The rates on a link never come to more than it carries.
 *
 * <p><b>Algorithm.</b> Progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2), of the neighbourhood alone: when a
 * transfer begins or ends, those that share one of its scarce links with it get new rates out of what all others leave, all
 * of them rising alike until a link of theirs is full. So a change costs as much with 7,000 hosts as with 60. Those further
 * off keep their rates until something changes on a link of theirs.
 */
final class TransferNetwork {

    /** What of its capacity a link that counts as full may have left, for rounding. */
    private static final double FULL = 1e-9;

    /** Something that carries so many bytes per second: a throttle, a network card in one direction, an uplink of a rack. */
    static final class Link {

        private final double bytesPerSecond;
        private final Set<Transfer> transfers = new LinkedHashSet<>();
        private double used;
        /** The transfers that this link keeps from being faster. */
        private int limited;
        /** Those that still rise, while rates are filled. */
        private int rising;

        Link(double bytesPerSecond) {
            this.bytesPerSecond = bytesPerSecond;
        }

        double bytesPerSecond() {
            return bytesPerSecond;
        }

        private double free() {
            return Math.max(0, bytesPerSecond - used);
        }

        private boolean isFull() {
            return free() <= FULL * bytesPerSecond;
        }
    }

    /** Bytes on their way over some links. */
    static final class Transfer {

        private final List<Link> links;
        private final double fastest;
        private final Runnable atEnd;
        private double bytesLeft;
        private double rate;
        private double rateBefore;
        private long sinceMicros;
        private long changes;
        private boolean open = true;
        private Link limit;

        private Transfer(long bytes, List<Link> links, long nowMicros, Runnable atEnd) {
            this.links = List.copyOf(links);
            this.fastest =
                    links.stream().mapToDouble(Link::bytesPerSecond).min().orElseThrow();
            this.atEnd = atEnd;
            this.bytesLeft = (double) bytes;
            this.sinceMicros = nowMicros;
            this.limit = this.links.get(0);
            limit.limited++;
        }

        List<Link> links() {
            return links;
        }

        double bytesPerSecond() {
            return rate;
        }

        private void setLimit(Link next) {
            limit.limited--;
            limit = next;
            limit.limited++;
        }

        private void setRate(double next) {
            links.forEach(link -> link.used += next - rate);
            rate = next;
        }
    }

    private final SimulatedTime time;
    private final Set<Transfer> open = new LinkedHashSet<>();

    TransferNetwork(SimulatedTime time) {
        this.time = time;
    }

    /** Sends so many bytes over these links, at least one. */
    Transfer start(long bytes, List<Link> links, Runnable atEnd) {
        Transfer transfer = new Transfer(bytes, links, time.nowMicros(), atEnd);
        Set<Transfer> neighbours = new LinkedHashSet<>();
        for (Link link : links) {
            if (link.limited > 0 || link.free() < transfer.fastest) {
                neighbours.addAll(link.transfers);
            }
        }
        neighbours.add(transfer);
        open.add(transfer);
        links.forEach(link -> link.transfers.add(transfer));
        share(neighbours);
        return transfer;
    }

    /** The transfers that have not ended. */
    Collection<Transfer> open() {
        return open;
    }

    private void end(Transfer transfer) {
        transfer.open = false;
        open.remove(transfer);
        transfer.setRate(0);
        transfer.limit.limited--;
        Set<Transfer> neighbours = new LinkedHashSet<>();
        for (Link link : transfer.links) {
            link.transfers.remove(transfer);
            if (link.transfers.isEmpty()) {
                link.used = 0;
            } else if (link.limited > 0) {
                neighbours.addAll(link.transfers);
            }
        }
        share(neighbours);
        transfer.atEnd.run();
    }

    private void share(Set<Transfer> transfers) {
        for (Transfer transfer : transfers) {
            long nowMicros = time.nowMicros();
            transfer.bytesLeft -= transfer.rate * (nowMicros - transfer.sinceMicros) / 1e6;
            transfer.sinceMicros = nowMicros;
            transfer.rateBefore = transfer.rate;
            transfer.setRate(0);
        }
        fill(transfers);
        for (Transfer transfer : transfers) {
            if (transfer.rate != transfer.rateBefore) {
                schedule(transfer);
            }
        }
    }

    private static void fill(Set<Transfer> transfers) {
        Set<Link> links = new LinkedHashSet<>();
        for (Transfer transfer : transfers) {
            for (Link link : transfer.links) {
                link.rising = links.add(link) ? 1 : link.rising + 1;
            }
        }
        List<Transfer> rising = new ArrayList<>(transfers);
        while (!rising.isEmpty()) {
            double more = Double.MAX_VALUE;
            for (Link link : links) {
                more = link.rising == 0 ? more : Math.min(more, link.free() / link.rising);
            }
            for (Transfer transfer : rising) {
                transfer.setRate(transfer.rate + more);
            }
            rising.removeIf(TransferNetwork::isLimited);
        }
    }

    private static boolean isLimited(Transfer transfer) {
        for (Link link : transfer.links) {
            if (link.isFull()) {
                transfer.setLimit(link);
                transfer.links.forEach(other -> other.rising--);
                return true;
            }
        }
        return false;
    }

    private void schedule(Transfer transfer) {
        long change = ++transfer.changes;
        long micros = (long) Math.ceil(Math.max(0, transfer.bytesLeft) / transfer.rate * 1e6);
        time.after(micros, () -> {
            if (transfer.open && transfer.changes == change) {
                end(transfer);
            }
        });
    }
}
