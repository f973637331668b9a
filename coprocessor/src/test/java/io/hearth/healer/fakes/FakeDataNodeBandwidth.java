// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.healer.core.BandwidthRaise.DataNodeBandwidth;
import io.hearth.healer.core.BandwidthRaise.RaisedBandwidth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Two DataNodes of 100 MB/s that are set at once, and a file in memory. Each call fails while a test wants it to. */
public final class FakeDataNodeBandwidth implements DataNodeBandwidth {

    private static final long MB = 1 << 20;

    public final Map<String, Long> valueByNode = new TreeMap<>(Map.of("a1:9866", 100 * MB, "b1:9866", 100 * MB));
    public final List<String> calls = new ArrayList<>();
    public Optional<RaisedBandwidth> kept = Optional.empty();
    public @Nullable IOException onAsk;
    public @Nullable IOException onSet;
    public @Nullable IOException onDelete;

    @Override
    public Map<String, Long> ask() throws IOException {
        calls.add("ask");
        fail(onAsk);
        return valueByNode;
    }

    @Override
    public void setAll(long bytesPerSecond) throws IOException {
        fail(onSet);
        calls.add("set " + bytesPerSecond / MB);
        valueByNode.replaceAll((node, before) -> bytesPerSecond);
    }

    @Override
    public Optional<RaisedBandwidth> loadRaised() {
        return kept;
    }

    @Override
    public void save(RaisedBandwidth raised) {
        calls.add("save " + raised.beforeBytesPerSecond() / MB + " " + raised.bytesPerSecond() / MB);
        kept = Optional.of(raised);
    }

    @Override
    public void forgetRaised() throws IOException {
        fail(onDelete);
        calls.add("delete");
        kept = Optional.empty();
    }

    private static void fail(@Nullable IOException failure) throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}
