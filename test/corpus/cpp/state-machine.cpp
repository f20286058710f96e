// A tokenizer and a pushdown machine by enums, switches and tables of member functions.
#include <cctype>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

enum class Kind { Number, Word, Symbol, Text, End };
struct Token { Kind kind; std::string text; };
class Lexer {
  std::string s;
  size_t at = 0;
  using State = Token (Lexer::*)();
  Token number() { std::string t; while (at < s.size() && (std::isdigit(static_cast<unsigned char>(s[at])) || s[at] == '.')) t += s[at++]; return {Kind::Number, t}; }
  Token word() { std::string t; while (at < s.size() && std::isalnum(static_cast<unsigned char>(s[at]))) t += s[at++]; return {Kind::Word, t}; }
  Token quoted() { std::string t; for (at++; at < s.size() && s[at] != '"'; at++) { if (s[at] == '\\') at++; t += s[at]; } if (at++ >= s.size()) throw std::runtime_error("unclosed text"); return {Kind::Text, t}; }
  Token symbol() { return {Kind::Symbol, std::string(1, s[at++])}; }
 public:
  explicit Lexer(std::string t) : s(std::move(t)) {}
  Token next() {
    while (at < s.size() && std::isspace(static_cast<unsigned char>(s[at]))) at++;
    if (at >= s.size()) return {Kind::End, ""};
    static const std::map<int, State> states{{0, &Lexer::number}, {1, &Lexer::word}, {2, &Lexer::quoted}, {3, &Lexer::symbol}};
    auto c = static_cast<unsigned char>(s[at]);
    return (this->*states.at(std::isdigit(c) ? 0 : std::isalpha(c) ? 1 : c == '"' ? 2 : 3))();
  }
};
static int precedence(char c) { switch (c) { case '+': case '-': return 1; case '*': case '/': return 2; case '^': return 3; default: return 0; } }
static std::string postfix(Lexer l) {
  std::string out;
  std::vector<std::string> stack;
  for (Token t = l.next(); t.kind != Kind::End; t = l.next())
    switch (t.kind) {
      case Kind::Number: case Kind::Word: case Kind::Text: out += t.text + ' '; break;
      case Kind::Symbol:
        if (t.text == "(") stack.push_back(t.text);
        else if (t.text == ")") { while (!stack.empty() && stack.back() != "(") out += stack.back() + ' ', stack.pop_back(); if (stack.empty()) throw std::runtime_error("unbalanced"); stack.pop_back(); }
        else { while (!stack.empty() && precedence(stack.back()[0]) >= precedence(t.text[0]) && t.text != "^") out += stack.back() + ' ', stack.pop_back(); stack.push_back(t.text); }
        break;
      case Kind::End: break;
    }
  while (!stack.empty()) out += stack.back() + ' ', stack.pop_back();
  return out;
}

int main() {
  for (const char *e : {"1 + 2 * 3", "(a - b) * (c + 4.5) / d1", "2 ^ 3 ^ 4 - \"a \\\"text\\\"\"", "1 + )", "\"open", "((x))"})
    try { std::cout << postfix(Lexer(e)) << '\n'; } catch (std::exception &x) { std::cout << "error: " << x.what() << '\n'; }
}
