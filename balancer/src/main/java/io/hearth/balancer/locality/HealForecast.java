package io.hearth.balancer.locality;

import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.LocalBytes;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What becomes of the bytes of a region that are not on the host of its server: healed, at the cost of copying them once, or
 * remote for ever. It is what the cost of a move is made of: today's locality is true for minutes where there is a healer.
 *
 * <p>Implementations are thread-safe and answer at once from what they know.
 */
public interface HealForecast {

    /** Nothing is healed: there is no healer, or it is switched off. */
    HealForecast NEVER = table -> false;

    /** Every table is healed. */
    HealForecast ALWAYS = table -> true;

    /** Whether the regions of this table are brought home after a move. */
    boolean isHealed(TableId table);

    /** What lies ahead of a region of this table on a server of this host; empty where nobody knows where its bytes are. */
    default Optional<Outlook> outlook(TableId table, LocalBytes local, String host) {
        OptionalLong away = local.awayFrom(host);
        if (away.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(isHealed(table) ? new Outlook(away.getAsLong(), 0) : new Outlook(0, away.getAsLong()));
    }

    /**
     * What a move of a region of this table from one host to another changes: above 0 it costs, below 0 it spares. Bytes that
     * are away from the old host too would have to be healed, or stay remote, anyway. Empty where nobody knows.
     */
    default Optional<Outlook> change(TableId table, LocalBytes local, String from, String to) {
        return outlook(table, local, to).flatMap(after -> outlook(table, local, from)
                .map(before -> new Outlook(
                        after.bytesToHeal() - before.bytesToHeal(), after.bytesRemote() - before.bytesRemote())));
    }

    /**
     * Bytes that are not on the host of a region's server. Immutable.
     *
     * @param bytesToHeal bytes that will be copied there once, and are local from then on
     * @param bytesRemote bytes that will be read over the network as long as the region is there, until a major compaction
     */
    record Outlook(long bytesToHeal, long bytesRemote) {}
}
