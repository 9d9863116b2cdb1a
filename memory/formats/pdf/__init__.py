"""PDF files: what PDFium finds on their pages, and the paragraphs, headings and tables that this lays out."""
