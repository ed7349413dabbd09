#include <doctest/doctest.h>

#include "src/engine/keep.hpp"
#include "tests/unit/act_fakes.hpp"

namespace deskmark {
namespace {

using testing::FakeDesk;
using testing::FakeHands;

struct Stage {
  FakeDesk desk;
  FakeHands hands;
  Engine::Client client;
  int button, check, entry, canvas;

  Stage() {
    desk.now.seen.target.pid = 4711;
    button = desk.now.button(0, "Add", {10, 10, 80, 30});
    check = desk.now.add(0, Role::CheckBox, "Agree", {10, 50, 80, 30}, {State::Focusable}, {});
    entry = desk.now.entry(0, "Name", "", {10, 90, 200, 30});
    canvas = desk.now.add(0, Role::PushButton, "Save", {300, 10, 80, 30}, {State::Focusable}, {"click"});
    for (const Iface i : {Iface::Component, Iface::Text, Iface::EditableText}) desk.now.node(entry).interfaces.set(i);
    capture();
  }
  void capture() {
    auto s = std::make_shared<Snapshot>();
    s->id = "s1";
    s->target.window = desk.now.seen.target;
    s->observation = desk.now.seen;
    s->observation.pixels = std::make_shared<const Image>(800, 600, 0xffffff);
    s->scene = perceive(s->observation, {});
    s->windows = {desk.now.seen.target};
    client.remember(std::move(s));
  }
  int mark(const char* label) {
    const Mark* m = testing::find(client.newest()->scene, label);
    REQUIRE(m);
    return m->index;
  }
  Outcome run(Request request, bool dry = false) {
    hands.sent.clear();
    return act({&desk, &desk, nullptr}, {&hands, &hands, {}}, request, dry, client,
               Deadline::in(std::chrono::milliseconds{20'000}));
  }
  Request on(Action action, const char* label) {
    Request r;
    r.action = action;
    r.element = mark(label);
    return r;
  }
};

std::string code(const Outcome& o) { return o.code ? std::string{code_word(*o.code)} : ""; }

}  // namespace

TEST_CASE("a click that the program answers is confirmed, one it does not answer is not") {
  Stage stage;
  Outcome quiet = stage.run(stage.on(Action::Click, "Add"));
  CHECK(quiet.effect == "unverifiable");
  REQUIRE(stage.hands.sent.size() == 1);
  CHECK(stage.hands.sent[0].rfind("action click", 0) == 0);
  stage.hands.effect = [&](const std::string&) { stage.desk.now.label(0, "Added", {10, 300, 80, 30}); };
  CHECK(stage.run(stage.on(Action::Click, "Add")).effect == "confirmed");
}

TEST_CASE("a check box without an action is clicked; without an effect it says so") {
  Stage stage;
  Outcome noop = stage.run(stage.on(Action::Click, "Agree"));
  CHECK(noop.effect == "suspected_noop");
  CHECK(noop.recommended == "foreground");
  CHECK(stage.hands.sent == std::vector<std::string>{"click 0x1 150,115"});
  stage.hands.effect = [&](const std::string&) { stage.desk.now.node(stage.check).states.set(State::Checked); };
  const Outcome done = stage.run(stage.on(Action::Click, "Agree"));
  CHECK(done.effect == "confirmed");
  CHECK(done.route == "background_pointer");
}

TEST_CASE("what cannot be done in the background is refused, and says which rung can") {
  Stage stage;
  stage.hands.refusal = "background_unavailable";
  const Outcome out = stage.run(stage.on(Action::RightClick, "Add"));
  CHECK(out.effect == "refused");
  CHECK(code(out) == "background_unavailable");
  CHECK(out.recommended == "foreground");
  CHECK(stage.hands.sent.empty());
}

TEST_CASE("nothing is sent to an object that changed, is gone or never was") {
  Stage stage;
  const Request add = stage.on(Action::Click, "Add");
  stage.desk.now.node(stage.button).name = "Delete";
  CHECK(code(stage.run(add)) == "stale_element");
  stage.desk.now.node(stage.button).name = "Add";
  stage.desk.now.node(stage.button).ref.path = "/other";
  stage.hands.living = false;
  CHECK(code(stage.run(add)) == "element_gone");
  Request beyond = add;
  beyond.element = 99;
  CHECK(code(stage.run(beyond)) == "element_not_found");
  stage.desk.closed = true;
  CHECK(code(stage.run(add)) == "window_gone");
  CHECK(stage.hands.sent.empty());
}

TEST_CASE("a number in a name may go on") {
  Stage stage;
  const Request add = stage.on(Action::Click, "Add");
  stage.desk.now.node(stage.button).name = "Add";
  CHECK(same_but_digits("Inbox (3)", "Inbox (14)"));
  CHECK_FALSE(same_but_digits("Inbox (3)", "Outbox (3)"));
  CHECK(stage.run(add).route == "accessibility");
}

TEST_CASE("a mark that moved is acted on where it is now") {
  Stage stage;
  const Request agree = stage.on(Action::Click, "Agree");
  stage.desk.now.node(stage.check).extents.y += 200;
  (void)stage.run(agree);
  CHECK(stage.hands.sent == std::vector<std::string>{"click 0x1 150,315"});
}

TEST_CASE("typed text is read back whole") {
  Stage stage;
  Request type = stage.on(Action::Type, "Name");
  type.text = "Zoë";
  const Outcome out = stage.run(type);
  CHECK(out.effect == "confirmed");
  CHECK(out.route == "accessibility");
  // Without a named field it goes to the same one.
  type.element.reset();
  CHECK(stage.run(type).effect == "confirmed");
  CHECK(stage.hands.sent == std::vector<std::string>{"insert Zoë"});
}

TEST_CASE("text without a known field is refused") {
  Stage stage;
  Request type;
  type.action = Action::Type;
  type.text = "abc";
  CHECK(code(stage.run(type)) == "no_focused_field");
  CHECK(stage.hands.sent.empty());
}

TEST_CASE("keys after a text that was inserted go to its field, after a click elsewhere to the window") {
  Stage stage;
  Request type = stage.on(Action::Type, "Name");
  type.text = "abc";
  (void)stage.run(type);
  Request key;
  key.action = Action::Key;
  key.keys = "Return";
  (void)stage.run(key);
  REQUIRE(stage.hands.sent.size() == 2);
  CHECK(stage.hands.sent[0].rfind("click", 0) == 0);
  CHECK(stage.hands.sent[1] == "press return");
  (void)stage.run(stage.on(Action::MiddleClick, "Save"));
  (void)stage.run(key);
  CHECK(stage.hands.sent == std::vector<std::string>{"press return"});
}

TEST_CASE("a window without a tree takes text as a whole") {
  Stage stage;
  stage.desk.now.seen.nodes.clear();
  Request type;
  type.action = Action::Type;
  type.text = "ls";
  CHECK(stage.run(type).route == "background_keys");
  CHECK(stage.hands.sent == std::vector<std::string>{"type ls"});
}

TEST_CASE("a dry run sends nothing and tells the ladder") {
  Stage stage;
  const Outcome out = stage.run(stage.on(Action::Click, "Add"), true);
  CHECK(out.effect == "planned");
  CHECK(out.plan.find("accessibility: action click") != std::string::npos);
  CHECK(stage.hands.sent.empty());
}

TEST_CASE("set_value goes on to the next rung only while the value is not there") {
  Stage stage;
  Request set = stage.on(Action::SetValue, "Name");
  set.value = "new";
  CHECK(stage.run(set).effect == "confirmed");
  CHECK(stage.hands.sent == std::vector<std::string>{"set /3", "caret 3"});
}

TEST_CASE("an answer that never came forbids another attempt") {
  Stage stage;
  stage.hands.answer = Sent::Unknown;
  const Outcome out = stage.run(stage.on(Action::Click, "Add"));
  CHECK(code(out) == "outcome_unknown");
  CHECK(stage.hands.sent.size() == 1);
}

TEST_CASE("pixels: a coordinate follows its window and is refused once that changed") {
  Stage stage;
  Request click;
  click.action = Action::Click;
  click.coordinate = Pixel{400, 400};
  stage.desk.now.seen.target.bounds.x += 30;
  (void)stage.run(click);
  CHECK(stage.hands.sent == std::vector<std::string>{"click 0x1 530,450"});
  stage.desk.now.seen.target.bounds.w += 30;
  CHECK(code(stage.run(click)) == "stale_element");
  click.coordinate = Pixel{5000, 10};
  CHECK(code(stage.run(click)) == "invalid_request");
}

TEST_CASE("without a capture nothing is acted on; focus_app gives keys a window") {
  Stage stage;
  stage.client.disarm();
  Request key;
  key.action = Action::Key;
  key.keys = "F5";
  CHECK(code(stage.run(key)) == "no_capture");
  Target target;
  target.window = stage.desk.now.seen.target;
  stage.client.focus(target);
  CHECK(stage.run(key).route == "background_keys");
  Request click;
  click.action = Action::Click;
  click.element = 1;
  CHECK(code(stage.run(click)) == "no_capture");
}

TEST_CASE("replies: escalation and verdict by the contract's table") {
  Request request;
  request.action = Action::Click;
  Outcome out;
  out.effect = "refused";
  out.code = Code::BackgroundUnavailable;
  out.recommended = "foreground";
  OrderedJson r = action_reply(request, out);
  CHECK(r["ok"] == false);
  CHECK(r["verdict"]["decision"] == "escalate");
  CHECK(r["escalation"]["target"] == "foreground");
  out = {};
  out.effect = "partial";
  out.completed = 1;
  out.total = 3;
  r = action_reply(request, out);
  CHECK(r["ok"] == false);
  CHECK(r["completed_steps"] == 1);
  CHECK(r["total_steps"] == 3);
  CHECK(r["verdict"]["decision"] == "verify_fresh_state");
}

TEST_CASE("what a command remembers resolves the same marks in another process, without any text of fields") {
  Stage stage;
  stage.desk.now.node(stage.entry).text = "my secret diary";
  stage.capture();
  stage.client.keyboard = {stage.desk.now.node(stage.entry).ref, 1, true, false, false};
  const std::string text = client_to_text(stage.client);
  CHECK(text.find("diary") == std::string::npos);
  CHECK(text.find("Test window") == std::string::npos);
  Engine::Client later;
  REQUIRE(client_from_text(later, text));
  REQUIRE(later.newest());
  CHECK(later.newest()->scene.marks.size() == stage.client.newest()->scene.marks.size());
  CHECK(later.keyboard.field == stage.client.keyboard.field);
  stage.hands.sent.clear();
  const Outcome out =
      act({&stage.desk, &stage.desk, nullptr}, {&stage.hands, &stage.hands, {}}, stage.on(Action::Click, "Agree"),
          false, later, Deadline::in(std::chrono::milliseconds{20'000}));
  CHECK(out.route == "background_pointer");
  CHECK(stage.hands.sent == std::vector<std::string>{"click 0x1 150,115"});
}

TEST_CASE("a damaged memory is none") {
  Engine::Client client;
  for (const char* text : {"", "{}", "[]", "not json", "{\"deskmark_capture\":1}", "{\"deskmark_capture\":2}",
                           "{\"deskmark_capture\":1,\"capture\":{},\"keyboard\":{}}"}) {
    CAPTURE(text);
    CHECK_FALSE(client_from_text(client, text));
    CHECK_FALSE(client.newest());
  }
  Stage stage;
  std::string whole = client_to_text(stage.client);
  for (std::size_t cut = 1; cut < whole.size(); cut += 97) CHECK_FALSE(client_from_text(client, whole.substr(0, cut)));
}

}  // namespace deskmark
