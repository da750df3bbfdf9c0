"""What comments, strings and keywords look like in the languages that errors are raised in."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """What the scanner of `code.py` needs to know of a language."""

    keywords: frozenset[str]
    line: tuple[str, ...] = ("//",)
    """What begins a comment that ends with the line."""
    block: tuple[str, str] | None = ("/*", "*/")
    quotes: str = "\"'"
    """What strings stand in that end with the line at the latest."""
    long_quotes: str = ""
    """What strings stand in that may span lines."""
    characters: bool = False
    """A single quote holds one character, or else means something else."""
    docstrings: bool = False
    """Python's tripled quotes and string prefixes."""
    types: bool = True
    """Names with a capital are types."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_C_FAMILY = (
    "break case catch class const continue default delete do else enum extern false final finally"
    " for goto if import in interface namespace new null operator private protected public return"
    " static struct super switch template this throw throws true try typedef typename union using"
    " virtual void volatile while int long short char bool boolean float double unsigned signed"
    " auto sizeof package extends implements abstract synchronized instanceof nullptr constexpr"
    " noexcept override static_assert var let is as out ref async await yield string object"
    " readonly sealed internal foreach lock params get set when record"
)

LANGUAGES: dict[str, Language] = {
    "python": Language(
        _words(
            "False None True and as assert async await break case class continue def del elif else"
            " except finally for from global if import in is lambda match nonlocal not or pass"
            " raise return self try while with yield cls"
        ),
        line=("#",),
        block=None,
        docstrings=True,
    ),
    "javascript": Language(
        _words(
            "abstract any as async await boolean break case catch class const continue debugger"
            " declare default delete do else enum export extends false finally for from function"
            " get if implements import in instanceof interface is keyof let namespace never new"
            " null number of private protected public readonly return set static string super"
            " switch this throw true try type typeof undefined unknown var void while with yield"
        ),
        long_quotes="`",
    ),
    "go": Language(
        _words(
            "break case chan const continue default defer else fallthrough false for func go goto"
            " if import interface iota map nil package range return select struct switch true type"
            " var string int int64 error bool byte make panic len append"
        ),
        quotes='"',
        long_quotes="`",
        characters=True,
    ),
    "rust": Language(
        _words(
            "as async await break const continue crate dyn else enum extern false fn for if impl in"
            " let loop match mod move mut pub ref return self Self static struct super trait true"
            " type unsafe use where while bool char f32 f64 i32 i64 isize str u8 u16 u32 u64 usize"
            " panic bail anyhow"
        ),
        quotes="",
        long_quotes='"',
        characters=True,
    ),
    "c": Language(_words(_C_FAMILY), quotes='"', characters=True),
    "java": Language(
        _words(
            _C_FAMILY + " fun val object companion data open lateinit def trait with sealed"
            " match implicit lazy init guard func defer inout extension protocol nil some"
        ),
        quotes='"',
        characters=True,
    ),
    "php": Language(
        _words(
            _C_FAMILY + " echo function fn array elseif endif endforeach require require_once"
            " include use trait insteadof self parent isset unset match empty print global"
        ),
        line=("//", "#"),
        long_quotes="",
    ),
    "ruby": Language(
        _words(
            "BEGIN END alias and begin break case class def defined do else elsif end ensure false"
            " for if in module next nil not or raise redo rescue retry return self super then true"
            " undef unless until when while yield require attr_reader attr_accessor private"
        ),
        line=("#",),
        block=None,
    ),
    "shell": Language(
        _words(
            "if then else elif fi for while until do done case esac in function return exit local"
            " export set unset echo printf source trap"
        ),
        line=("#",),
        block=None,
        quotes="",
        long_quotes="\"'",
        types=False,
    ),
    "sql": Language(
        _words(
            (
                "select from where insert into update delete create alter drop table index and or"
                " not null is in as join on group by order having limit values set primary key"
                " begin end if then else raise exception return declare"
            )
            + " "
            + (
                "SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE ALTER DROP TABLE INDEX AND OR"
                " NOT NULL IS IN AS JOIN ON GROUP BY ORDER HAVING LIMIT VALUES SET PRIMARY KEY"
                " BEGIN END IF THEN ELSE RAISE EXCEPTION RETURN DECLARE"
            )
        ),
        line=("--",),
        types=False,
    ),
    "lua": Language(
        _words(
            "and break do else elseif end false for function goto if in local nil not or repeat"
            " return then true until while error"
        ),
        line=("--",),
        block=("--[[", "]]"),
    ),
    "haskell": Language(
        _words(
            "case class data deriving do else if import in instance let module newtype of then type"
            " where error throw"
        ),
        line=("--",),
        block=("{-", "-}"),
        quotes='"',
        characters=True,
    ),
    "elixir": Language(
        _words(
            "after and case catch cond def defp defmodule defexception do else end false fn for if"
            " import in nil not or raise receive rescue throw true try unless use when with"
        ),
        line=("#",),
        block=None,
    ),
    "erlang": Language(
        _words("after begin case catch end error fun if of receive throw try when"),
        line=("%",),
        block=None,
    ),
    "lisp": Language(
        _words("def defn defun let if cond when fn lambda throw catch try ns require do loop"),
        line=(";",),
        block=None,
        quotes="",
        long_quotes='"',
        types=False,
    ),
    "config": Language(
        _words("true false null yes no on off"), line=("#",), block=None, types=False
    ),
    "json": Language(_words("true false null"), quotes='"', types=False),
    "markup": Language(frozenset(), line=(), block=("<!--", "-->"), types=False),
    "perl": Language(
        _words(
            "my our sub if else elsif unless while until for foreach return die warn use package"
            " require eval local last next redo and or not eq ne"
        ),
        line=("#",),
        block=None,
        types=False,
    ),
}

_EXTENSIONS = {
    "python": "py pyi pyx pxd",
    "javascript": "js jsx ts tsx mjs cjs mts cts vue svelte",
    "go": "go",
    "rust": "rs",
    "c": "c h cc cpp cxx hh hpp hxx cu cuh m mm cs d glsl zig",
    "java": "java kt kts scala groovy swift dart gradle",
    "php": "php",
    "ruby": "rb rake gemspec",
    "shell": "sh bash zsh fish ps1",
    "sql": "sql",
    "lua": "lua",
    "haskell": "hs elm purs",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "lisp": "clj cljs el lisp scm rkt",
    "config": "yml yaml toml ini cfg conf env properties tf",
    "json": "json jsonc",
    "markup": "html htm xml svg xhtml",
    "perl": "pl pm r R jl nim",
}
_OF_EXTENSION = {
    extension: name for name, extensions in _EXTENSIONS.items() for extension in extensions.split()
}


def of_file(path: str) -> str:
    """The language that a file's name tells; empty when it tells none that is known."""
    return _OF_EXTENSION.get(path.rpartition("/")[2].rpartition(".")[2], "")
