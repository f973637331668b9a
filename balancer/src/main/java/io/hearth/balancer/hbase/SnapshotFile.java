// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.hbase.JsonPathValue.JsonFormatException;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * A snapshot file: the cluster's state as {@link ClusterStateJson} has it, and in its field {@code goals} those of its plan. That
 * is all that the planner looks at; it draws no lots, so there is no seed. Immutable.
 */
public record SnapshotFile(ClusterState state, PlanGoals goals) {

    /** Writes the whole file. */
    public void write(Writer out) throws IOException {
        JsonWriter json = new JsonWriter(out);
        json.beginObject();
        ClusterStateJson.writeFields(json, out, state, ClusterStateJson.Regions.INCLUDED);
        out.write('\n');
        json.name("goals");
        PlanGoalsJson.write(json, goals);
        json.endObject();
        out.append('\n');
    }

    /**
     * What this file says.
     *
     * @throws JsonFormatException with the file's name, if it is of another version or something in it is not as it must be
     */
    public static SnapshotFile read(Path file) throws IOException, JsonFormatException {
        try (Reader text = Files.newBufferedReader(file)) {
            return read(text);
        } catch (JsonFormatException problem) {
            throw new JsonFormatException(file + ": " + problem.line());
        }
    }

    /** What this text says, to its end. */
    public static SnapshotFile read(Reader text) throws IOException, JsonFormatException {
        JsonPathValue json = JsonPathValue.parse(text);
        return new SnapshotFile(ClusterStateJson.read(json), PlanGoalsJson.read(json.field("goals")));
    }
}
