// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.hearth.cli.Main;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** {@code bin/hearth healer run --dry-run}, as an operator calls it: how long a heal of the load's table will take. */
final class DryRun {

    private DryRun() {}

    /**
     * What it says, in seconds; absent if it has nothing to move.
     *
     * @throws IOException with its own words if it fails
     */
    static OptionalDouble seconds(ProcessCluster cluster) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> words = new ArrayList<>(List.of("healer", "run", "--dry-run", "--verify-all", "--output", "json"));
        words.addAll(List.of("--table", LoadTable.NAME.getNameAsString()));
        words.addAll(List.of("--config", cluster.conf().toString()));
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        if (code != 0) {
            throw new IOException("the dry run failed (" + code + "): " + out + err);
        }
        return parse(out.toString());
    }

    static OptionalDouble parse(String json) throws IOException {
        try {
            JsonObject document = JsonParser.parseString(json).getAsJsonObject();
            return document.has("estimate")
                    ? OptionalDouble.of(document.getAsJsonObject("estimate")
                                    .get("durationMs")
                                    .getAsDouble()
                            / 1e3)
                    : OptionalDouble.empty();
        } catch (JsonParseException | IllegalStateException noJson) {
            throw new IOException("the dry run said " + json, noJson);
        }
    }
}
