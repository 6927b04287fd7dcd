package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReceiveWindowTest {
  private final List<Integer> requests = new ArrayList<>();

  private static void take(ReceiveWindow window, int messages) {
    for (int i = 0; i < messages; i++) {
      window.taken();
    }
  }

  @Test
  void messages_areRequestedInHalves() {
    ReceiveWindow window = new ReceiveWindow(16, requests::add);
    window.start();
    take(window, 7);
    assertThat(requests).containsExactly(16);
    take(window, 9);
    assertThat(requests).containsExactly(16, 8, 8);
  }

  @Test
  void firstMessages_areRequestedOneByOne() {
    ReceiveWindow window = new ReceiveWindow(16, 2, requests::add);
    window.start();
    assertThat(requests).containsExactly(1);
    take(window, 1);
    assertThat(requests).containsExactly(1, 1);
    take(window, 1);
    assertThat(requests).containsExactly(1, 1, 16);
    take(window, 8);
    assertThat(requests).containsExactly(1, 1, 16, 8);
  }

  @Test
  void messages_thatTheStubRequests_areNotRequested() {
    take(new ReceiveWindow(0, requests::add), 3);
    assertThat(requests).isEmpty();
  }
}
