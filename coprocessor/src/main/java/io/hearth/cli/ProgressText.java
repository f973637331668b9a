package io.hearth.cli;

import io.hearth.operate.view.Sizes;
import java.util.Locale;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** How a heal stands, as a line for a person and as one of JSON, whose names stay. Pure. */
final class ProgressText {

    private ProgressText() {}

    static String line(Standing now, Rate rate, double target) {
        long toGo = now.bytesTo(target);
        StringBuilder line = new StringBuilder()
                .append(Sizes.bytes(now.verifiedBytes()))
                .append(" verified, ")
                .append(Sizes.bytes(toGo))
                .append(" to go, ")
                .append(Sizes.bytes(rate.bytesPerSecond()))
                .append("/s");
        if (toGo > 0) {
            rate.secondsFor(toGo)
                    .ifPresent(seconds ->
                            line.append(", ").append(Sizes.time(seconds)).append(" left"));
        }
        return line.append(", locality ")
                .append(Sizes.share(now.firstLocality()))
                .append(" -> ")
                .append(Sizes.share(now.locality()))
                .append(", regions away ")
                .append(now.regionsAway())
                .append(" of ")
                .append(now.regions())
                .toString();
    }

    static String dryRunLine(Standing now) {
        return Sizes.bytes(now.bytesTo(1)) + " away, " + now.advisedMoves() + " moves of "
                + Sizes.bytes(now.advisedBytes()) + " planned so far, locality " + Sizes.share(now.locality())
                + ", regions away " + now.regionsAway() + " of " + now.regions();
    }

    static String json(Standing now, Rate rate, double target) {
        return object("progress", now, rate, target).toString();
    }

    static String json(Standing now, Rate rate, double target, Verdict verdict) {
        JsonObject json = object("end", now, rate, target);
        json.addProperty("result", verdict.code().name().toLowerCase(Locale.ROOT));
        json.addProperty("exitCode", verdict.code().code());
        json.addProperty("message", verdict.line());
        return json.toString();
    }

    private static JsonObject object(String event, Standing now, Rate rate, double target) {
        JsonObject json = new JsonObject();
        json.addProperty("event", event);
        json.addProperty("verifiedBytes", now.verifiedBytes());
        json.addProperty("bytesToGo", now.bytesTo(target));
        json.addProperty("bytesPerSecond", rate.bytesPerSecond());
        rate.secondsFor(now.bytesTo(target)).ifPresent(seconds -> json.addProperty("secondsLeft", seconds));
        json.addProperty("firstLocality", now.firstLocality());
        json.addProperty("locality", now.locality());
        json.addProperty("regions", now.regions());
        json.addProperty("regionsAway", now.regionsAway());
        json.addProperty("openMoves", now.openMoves());
        json.addProperty("failedMoves", now.failedMoves());
        json.addProperty("advisedMoves", now.advisedMoves());
        json.addProperty("advisedBytes", now.advisedBytes());
        JsonObject staying = new JsonObject();
        now.staying()
                .forEach((reason, count) -> staying.addProperty(reason.name().toLowerCase(Locale.ROOT), count));
        json.add("staying", staying);
        return json;
    }
}
