package io.hearth.operate.rpc;

import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.steering.Errand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The moves that a person announces before making them, as far as the master can believe in them: the region is of that table and
 * is on the server that it is to leave, and the server that it is to go to is online. What is kept of a request is therefore never
 * more than there are regions, whatever it holds. Immutable.
 *
 * @param believed those that can be made
 * @param refused how many can't be made
 * @param firstRefusal why the first of those can't; empty where there is none
 */
record AnnouncedMoves(List<Errand> believed, int refused, Optional<String> firstRefusal) {

    /** The moves of one request: a plan that has more is announced in several. */
    static final int MOST = 5_000;

    /** What is asked of the master's own memory; it answers at once. */
    interface Regions {

        /** Where the region of this encoded name is open; empty where it is not, or there is none. */
        Optional<ServerName> serverOf(String encodedName);

        /** The table of the region of this encoded name; empty where there is none. */
        Optional<String> tableOf(String encodedName);

        boolean isOnline(ServerName server);
    }

    /** Says which of the request's moves is not of the right form; the message is for who asked. */
    static final class WrongForm extends Exception {

        private static final long serialVersionUID = 1;

        private WrongForm(String message) {
            super(message);
        }
    }

    AnnouncedMoves {
        believed = List.copyOf(believed);
    }

    /**
     * Reads the request's {@code moves}, each with {@code region} (an encoded name), {@code table}, {@code from} and {@code to}
     * ({@code host,port,startcode}).
     */
    static AnnouncedMoves read(JsonObject request, Regions regions) throws WrongForm {
        if (!(request.get("moves") instanceof JsonArray moves)) {
            throw new WrongForm("moves must be a list, each with region, table, from and to.");
        }
        if (moves.size() > MOST) {
            throw new WrongForm("moves has " + moves.size() + " entries; " + MOST
                    + " are allowed in a request. Send a longer plan in several.");
        }
        List<Errand> believed = new ArrayList<>();
        List<String> refusals = new ArrayList<>();
        int index = 0;
        for (JsonElement move : moves) {
            Announced announced = Announced.read(move, index++);
            announced.refusal(regions).ifPresentOrElse(refusals::add, () -> believed.add(announced.errand()));
        }
        return new AnnouncedMoves(believed, refusals.size(), refusals.stream().findFirst());
    }

    private record Announced(String region, String table, ServerName from, ServerName to) {

        private static Announced read(JsonElement element, int index) throws WrongForm {
            if (!(element instanceof JsonObject move)) {
                throw new WrongForm("moves[" + index + "] must be an object with region, table, from and to.");
            }
            return new Announced(
                    text(move, "region", index),
                    text(move, "table", index),
                    server(move, "from", index),
                    server(move, "to", index));
        }

        private static String text(JsonObject move, String field, int index) throws WrongForm {
            JsonElement value = move.get(field);
            if (value == null || !value.isJsonPrimitive() || value.getAsString().isEmpty()) {
                throw new WrongForm("moves[" + index + "]." + field + " is missing or no text.");
            }
            return value.getAsString();
        }

        private static ServerName server(JsonObject move, String field, int index) throws WrongForm {
            String name = text(move, field, index);
            if (!ServerName.isFullServerName(name)) {
                throw new WrongForm("moves[" + index + "]." + field + " must be a server as host,port,startcode.");
            }
            return ServerName.valueOf(name);
        }

        /** Why it can't be made now; empty where it can. */
        private Optional<String> refusal(Regions regions) {
            if (!regions.tableOf(region).equals(Optional.of(table))) {
                return Optional.of("there is no region " + region + " of table " + table);
            }
            if (!regions.serverOf(region).equals(Optional.of(from))) {
                return Optional.of("region " + region + " is not on " + from);
            }
            return regions.isOnline(to) ? Optional.empty() : Optional.of(to + " is not online");
        }

        private Errand errand() {
            return new Errand(new RegionId(region), new TableId(table), Names.server(from), Names.server(to));
        }
    }
}
