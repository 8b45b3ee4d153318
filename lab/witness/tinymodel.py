"""Makes a language model of random weights, a few megabytes, with a tokenizer whose every token is printable text: an
engine schedules and streams it as it would a real one, and no token of it is held back as half a character.

    tinymodel.py DIR
"""
import string, sys

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
import torch

directory = sys.argv[1]

# Every pair of ASCII letters twice, so that the trainer has pairs to merge.
words = [a + b for a in string.ascii_letters for b in string.ascii_letters] * 2
bpe = Tokenizer(models.BPE(unk_token="<unk>"))
bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bpe.decoder = decoders.ByteLevel()
bpe.train_from_iterator([" ".join(words), string.printable], trainers.BpeTrainer(
    vocab_size=1024, special_tokens=["<unk>", "<s>", "</s>"], show_progress=False))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=bpe, unk_token="<unk>", bos_token="<s>", eos_token="</s>")
tokenizer.chat_template = "{% for m in messages %}{{ m['role'] }} {{ m['content'] }} {% endfor %}"
tokenizer.save_pretrained(directory)

torch.manual_seed(1)
LlamaForCausalLM(LlamaConfig(
    vocab_size=len(tokenizer), hidden_size=256, intermediate_size=512, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=4, max_position_embeddings=2048, bos_token_id=1, eos_token_id=2, tie_word_embeddings=True,
)).save_pretrained(directory)
