// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Local files, but for the folders of regions' families: each of these has two store files of {@value #BLOCKS} blocks, whose replicas are
 * anywhere but for the first, and no byte. So HBase's own code looks blocks up, without the NameNode. Always the same for the same path;
 * thread-safe. Hadoop makes it, by its class name.
 */
public final class BlocksFileSystem extends RawLocalFileSystem {

    static final String SCHEME = "hearthbench";

    /** How many hosts there are. */
    static final String HOSTS = "hearthbench.hosts";

    private static final URI NAME = URI.create(SCHEME + ":///");
    private static final int FILES = 2;
    private static final int BLOCKS = 20;
    private static final int REPLICAS = 3;
    private static final long BLOCK_BYTES = 256L << 20;
    private static final long MOST_LOOKING_UP_S = 300;
    private static final AtomicLong LOOK_UPS = new AtomicLong();
    private static final AtomicLong SAVES = new AtomicLong();

    /** Names are made once, since they are the simulation's memory and not the balancer's. */
    private static final List<String> NAMES = new ArrayList<>();

    /** Has HBase's files here from now on: below a folder of the local disk. */
    static void use(Configuration site, java.nio.file.Path folder, int hosts) {
        site.set("fs." + SCHEME + ".impl", BlocksFileSystem.class.getName());
        site.set("hbase.rootdir", SCHEME + "://" + folder.toAbsolutePath());
        site.setInt(HOSTS, hosts);
    }

    /** Regions' families that were looked up in this process. */
    static long lookUps() {
        return LOOK_UPS.get();
    }

    /** Waits until so many regions' families were looked up in this process, but no longer than {@value #MOST_LOOKING_UP_S} s. */
    static void awaitLookUps(long lookUps, Runnable meanwhile) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_LOOKING_UP_S);
        while (LOOK_UPS.get() < lookUps && System.nanoTime() < endNanos) {
            TimeUnit.MILLISECONDS.sleep(200);
            meanwhile.run();
        }
    }

    /** State files that were written in this process. */
    static long saves() {
        return SAVES.get();
    }

    /** A host's name. */
    static String host(int number) {
        synchronized (NAMES) {
            while (NAMES.size() <= number) {
                NAMES.add("host-" + NAMES.size() + ".example.org");
            }
            return NAMES.get(number);
        }
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public URI getUri() {
        return NAME;
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        SAVES.incrementAndGet();
        return super.rename(from, to);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path folder) throws IOException {
        if (!folder.toUri().getPath().contains("/data/")) {
            return super.listLocatedStatus(folder);
        }
        LOOK_UPS.incrementAndGet();
        List<LocatedFileStatus> files = new ArrayList<>();
        SplittableRandom random =
                new SplittableRandom(folder.getParent().getName().hashCode());
        int writer = random.nextInt(getConf().getInt(HOSTS, 1));
        for (int file = 0; file < FILES; file++) {
            files.add(file(new Path(folder, String.format("%032x", file + 1)), writer, random));
        }
        return iterator(files.iterator());
    }

    private LocatedFileStatus file(Path path, int writer, SplittableRandom random) {
        int hosts = getConf().getInt(HOSTS, 1);
        BlockLocation[] blocks = new BlockLocation[BLOCKS];
        for (int block = 0; block < BLOCKS; block++) {
            String[] names = {host(writer), host(random.nextInt(hosts)), host(random.nextInt(hosts))};
            blocks[block] = new BlockLocation(names, names, block * BLOCK_BYTES, BLOCK_BYTES);
        }
        FileStatus status = new FileStatus(BLOCKS * BLOCK_BYTES, false, REPLICAS, BLOCK_BYTES, 1, path);
        return new LocatedFileStatus(status, blocks);
    }

    private static RemoteIterator<LocatedFileStatus> iterator(Iterator<LocatedFileStatus> files) {
        return new RemoteIterator<>() {
            @Override
            public boolean hasNext() {
                return files.hasNext();
            }

            @Override
            public LocatedFileStatus next() {
                return files.next();
            }
        };
    }
}
