package dev.ferry.core.internal;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets the entry that was used the longest ago when it has too many. */
public final class RecentMap<K, V> extends LinkedHashMap<K, V> {
  private final int most;

  /**
   * @param most how many entries it keeps
   */
  public RecentMap(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
