"""Colours, type and measures of the page; the rest of its look is in `page.css`.

All fonts come with Gradio and are served by this process; nothing is fetched from elsewhere.
"""

import gradio as gr

_CJK = ["PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", "sans-serif"]

_PAPER = gr.themes.Color(
    name="paper",
    c50="#fbfaf7",
    c100="#f4f2ec",
    c200="#e7e3d9",
    c300="#d3cdbf",
    c400="#a39c8c",
    c500="#6b6558",
    c600="#5b564b",
    c700="#423f38",
    c800="#2b2a27",
    c900="#1e1e1d",
    c950="#161717",
)
_INK = gr.themes.Color(
    name="ink",
    c50="#eef6f4",
    c100="#d6eae5",
    c200="#aed5cc",
    c300="#7fbbae",
    c400="#56a193",
    c500="#35806f",
    c600="#286a5c",
    c700="#21564b",
    c800="#1c453d",
    c900="#173831",
    c950="#0c211d",
)

THEME = gr.themes.Base(
    primary_hue=_INK,
    secondary_hue=_INK,
    neutral_hue=_PAPER,
    radius_size=gr.themes.sizes.radius_lg,
    font=[gr.themes.LocalFont("IBM Plex Sans", weights=(400, 600, 700)), *_CJK],
    font_mono=[gr.themes.LocalFont("IBM Plex Mono", weights=(400, 600)), "ui-monospace", "monospace"],
).set(
    body_background_fill="*neutral_50",
    body_background_fill_dark="*neutral_950",
    body_text_color="*neutral_800",
    body_text_color_dark="#e9e6df",
    body_text_color_subdued="*neutral_500",
    body_text_color_subdued_dark="*neutral_400",
    background_fill_primary="#ffffff",
    background_fill_primary_dark="*neutral_900",
    background_fill_secondary="*neutral_100",
    background_fill_secondary_dark="#222322",
    border_color_primary="*neutral_200",
    border_color_primary_dark="#353633",
    block_background_fill="#ffffff",
    block_background_fill_dark="*neutral_900",
    block_border_width="0px",
    block_shadow="none",
    button_primary_background_fill="*primary_600",
    button_primary_background_fill_hover="*primary_700",
    button_primary_text_color="#ffffff",
    button_secondary_background_fill="transparent",
    button_secondary_background_fill_dark="transparent",
    button_secondary_background_fill_hover="*neutral_100",
    button_secondary_background_fill_hover_dark="#2a2b29",
    button_secondary_border_color="*neutral_300",
    button_secondary_border_color_dark="#40413d",
    color_accent="*primary_600",
    color_accent_soft="*primary_50",
    color_accent_soft_dark="*primary_900",
    link_text_color="*primary_600",
    link_text_color_dark="*primary_300",
    link_text_color_hover="*primary_700",
    link_text_color_hover_dark="*primary_200",
    link_text_color_visited="*primary_600",
    link_text_color_visited_dark="*primary_300",
    input_placeholder_color="*neutral_500",
    input_placeholder_color_dark="*neutral_400",
    input_background_fill="#ffffff",
    input_background_fill_dark="*neutral_900",
)
